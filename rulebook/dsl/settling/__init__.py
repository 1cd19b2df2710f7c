"""House rules: options, what they forbid, and what a question answers once they are settled."""
