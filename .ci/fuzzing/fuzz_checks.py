"""Checks and hooks of the fuzzer: what the description allows is taken, but for the excuses."""

import pathlib
import re

import schemathesis

HERE = pathlib.Path(__file__).parent
REFUSALS = (400, 413, 415)


def excuses():
    for line in (HERE / "excuses").read_text().splitlines():
        if line and not line.startswith("#"):
            operation, field, message, _ = re.split(r" \| ", line, maxsplit=3)
            yield re.compile(operation), re.compile(field), re.compile(message)


EXCUSES = list(excuses())


def is_excused(operation, field, message):
    return any(
        o.fullmatch(operation) and f.fullmatch(field) and m.fullmatch(message)
        for o, f, m in EXCUSES
    )


def faults(response):
    if response.headers["content-type"][0].startswith("text/plain"):
        lines = [line.partition(": ") for line in response.text.splitlines()]
        return [{"field": field, "message": message} for field, _, message in lines]
    problem = response.json()
    return problem.get("errors") or [{"field": problem["code"], "message": problem["detail"]}]


@schemathesis.check
def described_is_taken(ctx, response, case):
    """Stands for positive_data_acceptance, which knows no excuses."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in REFUSALS:
        return
    for fault in faults(response):
        if not is_excused(case.operation.label, fault["field"], fault["message"]):
            raise AssertionError(f"allowed but refused: {fault['field']}: {fault['message']}")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Nobody outside of this machine is called: a repository is looked for here alone."""
    if case.operation.label == "POST /v1/connectRepository" and isinstance(case.body, dict):
        address = case.body.get("address")
        if isinstance(address, str) and not re.match(r"(?i)/|file:", address) and ":" in address:
            pattern = case.operation.body[0].definition["schema"]["properties"]["address"]["pattern"]
            if re.search(pattern, address):
                case.body["address"] = "http://127.0.0.1:9/shop.git"
