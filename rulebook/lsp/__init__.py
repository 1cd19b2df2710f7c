"""The language server: what editors ask of a game while somebody writes it (extra `lsp`)."""
