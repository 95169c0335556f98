"""Keeps what schemathesis makes up from reaching out: a generated check would be run by the service."""

import re

import schemathesis

NOWHERE = "http://127.0.0.1:9/"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Aims valid targets of checks at a closed port of this machine; broken ones stay broken."""
    body = case.body
    if not case.path.startswith("/v1/checks") or not isinstance(body, dict):
        return
    if isinstance(body.get("url"), str) and re.match(r"https?://", body["url"], re.IGNORECASE):
        body["url"] = NOWHERE
    if isinstance(body.get("host"), str) and 0 < len(body["host"]) <= 255:
        body["host"] = "127.0.0.1"
