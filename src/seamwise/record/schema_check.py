"""``python -m seamwise.record.schema_check [--write]``: the published JSON Schema says what the types say."""

from __future__ import annotations

import sys
from pathlib import Path

from seamwise.record._schema import SCHEMA_NAME, published_schema, render_schema


def main(arguments: list[str]) -> int:
    """Exit code 0 where the file is up to date or was just written, 1 where it is not, 2 for anything else asked."""
    if arguments == ["--write"]:
        target = Path(__file__).parent / "schema" / SCHEMA_NAME
        target.parent.mkdir(exist_ok=True)
        target.write_text(render_schema(), encoding="utf-8")
        print(f"wrote {target}")
        return 0
    if arguments:
        print("usage: python -m seamwise.record.schema_check [--write]", file=sys.stderr)
        return 2
    if published_schema() != render_schema():
        print(f"{SCHEMA_NAME} is not what the types say; run `python -m seamwise.record.schema_check --write`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
