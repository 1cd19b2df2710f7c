"""Reports on many games: their numbers as records, words, tables and pages."""
