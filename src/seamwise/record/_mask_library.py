"""What ``detect-secrets`` finds in a text, where it is installed; offline (its verification asks services, and is not used)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_PLUGINS = {
    "artifactory.ArtifactoryDetector": "token",
    "aws.AWSKeyDetector": "service key",
    "azure_storage_key.AzureStorageKeyDetector": "service key",
    "basic_auth.BasicAuthDetector": "password",
    "discord.DiscordBotTokenDetector": "token",
    "jwt.JwtTokenDetector": "token",
    "keyword.KeywordDetector": "secret",
    "mailchimp.MailchimpDetector": "service key",
    "npm.NpmDetector": "token",
    "private_key.PrivateKeyDetector": "private key",
    "sendgrid.SendGridDetector": "service key",
    "slack.SlackDetector": "token",
    "square_oauth.SquareOAuthDetector": "token",
    "stripe.StripeDetector": "service key",
    "twilio.TwilioKeyDetector": "service key",
}
"""Detectors that go by shape or by name, and the kind of what they find. Not those by entropy: every id would be a secret."""
_LEAST = 8
"""A finding of fewer characters may be a part of the secret's pattern alone (the GitHub detector gives ``ghp``)."""

_PIECE, _OVERLAP = 20_000, 500
"""Characters that are looked through at once, since some of its patterns take long on long texts."""


def found_by_library(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each secret that the library finds; none where it is not installed."""
    for kind, detector in _detectors():
        for at in range(0, len(text), _PIECE):
            for secret in detector.analyze_string(text[max(0, at - _OVERLAP) : at + _PIECE]):
                if len(secret) >= _LEAST and "[masked" not in secret:
                    yield kind, secret


@cache
def library_installed() -> bool:
    """Whether the library can be used."""
    return find_spec("detect_secrets") is not None


@cache
def _detectors() -> tuple[tuple[str, Any], ...]:
    if not library_installed():
        return ()
    out = []
    for name, kind in _PLUGINS.items():
        module, _, made = name.partition(".")
        try:
            out.append((kind, getattr(import_module(f"detect_secrets.plugins.{module}"), made)()))
        except (ImportError, AttributeError):  # another release of it has other detectors; the others are used
            continue
    return tuple(out)
