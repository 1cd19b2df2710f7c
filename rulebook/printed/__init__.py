"""Cards out: print and play, pictures and files for virtual tabletops, tables for programs that lay out cards."""
