"""Secrets are masked, structure is kept, and what is no secret stays."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwise.record import Header, Organization, Step, Trace, mask_words, masked, masked_trace, masked_value, masks_in
from seamwise.record._mask_library import library_installed

SECRETS = {
    "sk-proj-abcdefghijklmnopqrstuvwx": "service key",
    "sk_live_abcdefghijklmnopqrstuvwx": "service key",
    "AKIAABCDEFGHIJKLMNOP": "service key",
    "ghp_abcdefghijklmnopqrstuvwxyz0123": "token",
    "xoxb-1234567890-abcdef": "token",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc": "token",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----": "private key",
    "4111 1111 1111 1111": "card number",
    "378282246310005": "card number",
}
NAMED = {
    "password: hunter22x": "password",
    "DB_PASSWORD=hunter22x": "password",
    "api_key=abc123def": "secret",
    'Authorization: "Bearer abcdef123456"': "token",
    "client_secret = zzzzzz": "secret",
    "userPassword: hunter22x": "password",
    '{"password": "with some spaces"}': "password",
    "see https://bob:hunter22x@host/x": "password",
}


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_masked_by_their_shape(secret: str) -> None:
    assert masked(f"here: {secret} and on") == f"here: [masked {SECRETS[secret]}] and on"


@pytest.mark.parametrize("text", NAMED)
def test_what_is_called_a_secret_is_masked(text: str) -> None:
    out = masked(text)
    assert masks_in(out) == {NAMED[text]: 1}
    assert "hunter" not in out
    assert masked(out) == out


@pytest.mark.parametrize(
    "text",
    [
        "the key customer c17 has token value; the secret is out; a 32 digit trace 37fe43eb87a9ec13a5497863210f4de3",
        "max_tokens: 1000000, token_count=12345678",
        "order 4111111111111112, paid at 1767225600000000000",
        "a password must have ten characters",
        "https://host/path?user=bob@example.org",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert masked(text) == text


def test_json_inside_a_string_stays_json() -> None:
    text = json.dumps({"arguments": json.dumps({"password": 'my "long" pass', "amount": 12.5})})
    inside = json.loads(json.loads(masked(text))["arguments"])
    assert inside == {"password": "[masked password]", "amount": 12.5}


def test_a_value_keeps_its_structure() -> None:
    value = {"password": "x", "many": [{"client_secret": ["q", "r"]}, 7, None], "note": "token sk-abcdefghijklmnopqrst", "ok": True}
    out = masked_value(value)
    assert out == {
        "password": "[masked password]",
        "many": [{"client_secret": ["[masked secret]", "[masked secret]"]}, 7, None],
        "note": "token [masked service key]",
        "ok": True,
    }
    assert masked_value(out) == out


def test_a_trace_is_masked_step_by_step_and_counted() -> None:
    plain = Step(id="a", kind="message", text="hello")
    secret = Step(id="b", kind="tool_call", text="password: hunter22x", data={"arguments": {"token": "ghp_abcdefghijklmnopqrstuvwxyz0123"}})
    out = masked_trace(Trace(header=Header(id="t"), steps=(plain, secret)))
    assert out.steps[0] is plain
    assert out.steps[1].data == {"arguments": {"token": "[masked token]"}}
    assert mask_words(masks_in(f"{out.steps[1]}")) == "1 password, 1 token"


@pytest.mark.skipif(not library_installed(), reason="detect-secrets is not installed: pip install 'seamwise[redact]'")
def test_what_only_the_library_knows_is_masked_too() -> None:
    assert masked("key of the account: AC0123456789abcdef0123456789abcdef") == "key of the account: [masked service key]"


PIECES = st.sampled_from(
    [
        "password",
        "=",
        ": ",
        '"',
        '\\"',
        "sk-",
        "ghp_",
        "a" * 20,
        "4111",
        " ",
        "1111",
        "eyJ",
        ".",
        "://",
        "@",
        "[masked ",
        "token]",
        "}",
        "_",
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join))
def test_masking_again_changes_nothing(text: str) -> None:
    assert masked(masked(text)) == masked(text)


@given(
    st.recursive(st.text(max_size=20) | st.integers() | st.sampled_from(list(SECRETS)), lambda x: st.dictionaries(st.text(max_size=9), x))
)
def test_json_stays_json_and_keeps_its_shape(value: object) -> None:
    whole = {"password": "hunter22x", "client_secret": value, "kept": value}
    again = json.loads(masked(json.dumps(whole)))
    assert list(again) == list(whole)
    assert again["password"] == "[masked password]"
    assert json.loads(json.dumps(masked_value(whole))).keys() == whole.keys()


@pytest.mark.parametrize(
    "text", ["a_" * 50_000 + "password", "sk-" + "a-" * 50_000, "://a:" * 20_000, "eyJ" * 30_000, 'password="' * 10_000]
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    masked(text)
    assert time.process_time() - start < 5


def test_whole_numbers_are_masked_as_they_are_in_text() -> None:
    assert masked_value({"card": 4111111111111111, "id": 4111111111111112}) == {"card": "[masked card number]", "id": 4111111111111112}
    assert masked_value({"password": 12345678, "api_key": -987654321}) == {"password": "[masked password]", "api_key": "[masked secret]"}
    assert masked_value({"passwords": 3, "amount": 12345678, "ok": True}) == {"passwords": 3, "amount": 12345678, "ok": True}
    assert masked_value({"n": 10**5000})["n"] == 10**5000


def test_names_and_the_header_of_a_trace_are_masked_too() -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123"
    head = Header(id="t", organization=Organization(facts={"api_key": "abc123def"}), origin={"file": f"https://bob:hunter22x@host/{token}"})
    step = Step(id="1", kind="message", actor=token, recipients=(token, "b"), channel=token, tool=token, streams=(token,), source=token)
    out = masked_trace(Trace(header=head, steps=(step,)))
    words = repr(out)
    assert token not in words
    assert "abc123def" not in words
    assert "hunter22x" not in words
    assert out.steps[0].recipients == ("[masked token]", "b")
    plain = Trace(header=Header(id="t"), steps=(Step(id="1", kind="message", actor="a"),))
    assert masked_trace(plain).header is plain.header
    assert masked_trace(plain).steps[0] is plain.steps[0]
