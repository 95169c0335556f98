"""Keeps generated requests from causing network traffic: the service would run every check that they create."""

import re

import schemathesis

NOWHERE = "http://127.0.0.1:9/"


# Matches the URLs in the examples of the OpenAPI document.
EXAMPLE = re.compile(r"https?://[\w.-]*example\.(?:com|org)\b")


def without_examples(value):
    """Returns a copy in which the URLs of examples are replaced by a closed port of this machine."""
    if isinstance(value, dict):
        return {name: without_examples(one) for name, one in value.items()}
    if isinstance(value, list):
        return [without_examples(one) for one in value]
    return NOWHERE if isinstance(value, str) and EXAMPLE.match(value) else value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Replaces valid targets by a closed port of this machine. Leaves invalid targets unchanged."""
    if not isinstance(case.body, dict):
        return
    case.body = body = without_examples(case.body)
    if not case.path.startswith("/v1/checks"):
        return
    if isinstance(body.get("url"), str) and re.match(r"https?://", body["url"], re.IGNORECASE):
        body["url"] = NOWHERE
    if isinstance(body.get("host"), str) and 0 < len(body["host"]) <= 255:
        body["host"] = "127.0.0.1"
