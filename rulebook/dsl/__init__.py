"""Compile time: from the files of a folder to checked IR.

In: YAML. Out: `ir.Rulebook` and located messages. In the order of the pipeline: `folder` and `reader` (files, spans),
`structure` and `schema` (what authors write), `parser` and `syntax` (scripts as written), `checker` (names, types,
`ir`), `secrets` (who may learn what). Never: runs anything; nothing here imports `rulebook.interpreter`.
"""
