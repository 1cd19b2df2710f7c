"""Compile time: from the files of a folder to checked IR.

In: YAML. Out: `ir.Rulebook` and located messages. A folder is a stage, and the files beside them are what goes from one
stage to the next: `reading` → `document` → `overlay`, `structuring` → `schema` → `parsing` → `syntax` → `naming` →
`world` → `checking` → `ir` → `secrets`, `lint`. `passes` has them in order. Never: runs anything; nothing
here imports `rulebook.interpreter` or `rulebook.english`.
"""
