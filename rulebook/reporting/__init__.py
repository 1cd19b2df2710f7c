"""What numbers of many games say: records, words, tables and pages."""
