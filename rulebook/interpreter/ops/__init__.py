"""The ops that lowered rules are made of, and what each does: one function for each."""
