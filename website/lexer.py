"""Colours for rulebooks: YAML whose scripts are sentences. The words come from the grammar."""

from __future__ import annotations

import re

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.parser import VERBS

_PROSE = "text|name|about|help|title|hint|prompt"
"""Keys whose values are for people, so that no word in them is one of the language."""
_NO_SENTENCE = rf"(?!(?:{'|'.join((*VERBS, 'else'))})\b)"


class RulebookLexer(RegexLexer):
    """A lexer for rulebooks, variants, scenarios and single scripts."""

    name = "rulebook"
    aliases = ["rulebook"]  # noqa: RUF012  Pygments asks for a list
    flags = re.MULTILINE
    tokens = {  # noqa: RUF012  and for a dict
        "root": [
            (r"\s+", Text),
            (r"(^|(?<=\s))#.*$", Comment.Single),
            (rf"\b({_PROSE})(:[ \t]+)([^\s\"'{{\[|>][^\n,}}]*)", bygroups(Name.Tag, Punctuation, String)),
            (rf"{_NO_SENTENCE}(?<![\w.] )[A-Za-z_][\w .(),]*?(?=:(?:\s|$))", Name.Tag),
            (r"[A-Za-z_]\w*(?=:\s)", Name.Tag),
            (r'"(?:\\.|[^"\\\n])*"', String.Double),
            (r"'(?:''|[^'\n])*'", String.Single),
            (r"\d+(?:\.\d+)?", Number),
            (words(VERBS, prefix=r"\b", suffix=r"\b"), Keyword),
            (words([*BUILT_INS], prefix=r"\b", suffix=r"(?=\()"), Name.Builtin),
            (words([*grammar().words], prefix=r"\b", suffix=r"\b"), Operator.Word),
            (r"[A-Za-z_]\w*", Name),
            (r"[-+*/%<>=|:,.(){}\[\]&!?]", Punctuation),
            (r".", Text),
        ]
    }
