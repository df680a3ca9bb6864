"""Asks a Prometheus every expression of the board and of the alerts: each must find something."""
import json
import re
import sys
import time
import urllib.parse
import urllib.request

prometheus, ops = sys.argv[1:]
# Told by hosts alone, and there is none here: alerts-test.yml holds the alert, QueueMetricsTest the names.
OF_HOSTS = "mq_forge_"
COMPARED = re.compile(r" (==|!=|<|>|<=|>=) [0-9.e+]+$")


def ask(path, **parameters):
    with urllib.request.urlopen(f"{prometheus}/api/v1/{path}?{urllib.parse.urlencode(parameters)}") as answer:
        return json.load(answer)["data"]


def until(what, question):
    end = time.monotonic() + 60
    while True:
        try:
            if question():
                return
        except OSError:
            pass
        if time.monotonic() > end:
            sys.exit(f"FAILED: {what}")
        time.sleep(0.5)


def are_up():
    targets = ask("targets")["activeTargets"]
    return len(targets) == 3 and all(t["health"] == "up" for t in targets)


until("not every target is up", are_up)
rules = [r for g in ask("rules")["groups"] for r in g["rules"]]
with open(f"{ops}/grafana/mainstay.json", encoding="utf-8") as file:
    board = json.load(file)
shown = [t["expr"] for p in board["panels"] for t in p.get("targets", [])]
asked = [COMPARED.sub("", r["query"]) for r in rules] + [e.replace("$repo", ".*") for e in shown]
if len(rules) < 10 or len(shown) < 20:
    sys.exit(f"FAILED: only {len(rules)} rules and {len(shown)} expressions of the board were found")
proven = [e for e in asked if OF_HOSTS not in e]
for expression in proven:
    until(f"nothing is found by {expression}", lambda: ask("query", query=expression)["result"])
for expression in set(asked) - set(proven):
    ask("query", query=expression)
firing = [a["labels"]["alertname"] for a in ask("alerts")["alerts"] if a["state"] == "firing"]
if firing:
    sys.exit(f"FAILED: alerts of a healthy node: {firing}")
print(f"ok: a Prometheus finds something by {len(proven)} expressions, and {len(asked) - len(proven)} need a host")
