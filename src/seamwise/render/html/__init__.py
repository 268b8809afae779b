"""An audit as one self-contained page: no request leaves it, nothing that was recorded can act in it.

The page carries its data as JSON in a block that no browser executes; the scripts of ``page/`` (one function together, in the order of
``SCRIPTS``) build what is looked at from it, by text nodes alone. Of long lists only the rows in sight are in the document.
A content security policy allows the one script and the one style by their hashes, and nothing else.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

import msgspec

from seamwise.audit import Result, Scene, Summary
from seamwise.render.audit_text import audit_text
from seamwise.render.html._data import page
from seamwise.render.plain import visible

__all__ = ["audit_html"]

SCRIPTS = ("dom.js", "data.js", "list.js", "chart.js", "story.js", "trace.js", "main.js")
"""Elements; the data; the list of verdicts; a running sum; a verdict; its traces; the page."""
_OUT_OF_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def audit_html(summary: Summary, results: Iterable[Result], scenes: Iterable[Scene] = ()) -> str:
    """The page, in ASCII."""
    results = list(results)
    data = page(summary, results, scenes)
    style = _asset("style.css")
    script = '"use strict";\n(() => {\n' + "\n".join(_asset("page", name) for name in SCRIPTS) + "})();\n"
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"Seamwise audit: {data.counted}"
    return _TEMPLATE.format(
        policy=policy,
        title=_ascii(escape(title)),
        style=style,
        plain=_ascii(escape(_without_script(summary, results))),
        data=embedded(data),
        script=script,
    )


def _without_script(summary: Summary, results: Sequence[Result]) -> str:
    return visible(audit_text(summary, results, width=100))


def embedded(value: object) -> str:
    """JSON that can stand in a script element: in ASCII, without a character that could end the element or begin a comment."""
    text = msgspec.json.encode(value).decode()
    return _ascii_json(re.sub("[<>&]", lambda m: _OUT_OF_SCRIPT[m.group()], text))


def _ascii_json(text: str) -> str:
    return text if text.isascii() else re.sub(r"[^\x00-\x7f]", _escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _asset(*name: str) -> str:
    return files(__name__).joinpath(*name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<noscript><pre>{plain}</pre></noscript>
<div id="app"></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
