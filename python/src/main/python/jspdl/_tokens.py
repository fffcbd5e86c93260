"""Tokens of a `tokenizer.json`."""
import json

from ._errors import PlanError


def token_of(file, wanted):
    """The number of a token by its text, from a tokenizer.json."""
    try:
        with open(file, encoding="utf-8") as opened:
            described = json.load(opened)
        numbers = {token["content"]: token["id"] for token in described.get("added_tokens") or ()}
        if wanted not in numbers:
            vocabulary = described["model"]["vocab"]
            numbers = vocabulary if isinstance(vocabulary, dict) else {piece: n for n, (piece, _) in enumerate(vocabulary)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as malformed:
        raise PlanError(f"{file} is no tokenizer.json: {malformed}") from malformed
    if wanted not in numbers:
        raise PlanError(f"end_of_document: {file} has no token {wanted!r}")
    return numbers[wanted]
