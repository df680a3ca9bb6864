"""Uses every tool for agents with the official client of the protocol: tools.py URL MAINSTAY PLACE"""

import asyncio
import contextlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import urllib.request

from mcp import ClientSession, StdioServerParameters
from mcp.client import streamable_http
from mcp.client.stdio import stdio_client

URL, MAINSTAY, PLACE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
KEY = os.environ["MAINSTAY_TOKEN"]
VERSION = importlib.metadata.version("mcp")
NAME = "shop" + VERSION.partition(".")[0]
REPO = f"git.example/acme/{NAME}"
QUEUE = {"repo": REPO, "branch": "main"}


def api(operation, body=None, kind="application/json", **fields):
    about = {"repo": {"host": "git.example", "owner": "acme", "name": NAME}, "targetBranch": "main"}
    sent = body if body is not None else json.dumps({**about, **fields})
    request = urllib.request.Request(
        f"{URL}/v1/{operation}", sent.encode(), {"x-api-token": KEY, "content-type": kind}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def git(*words, text=""):
    who = {f"GIT_{w}_{f}": "ada@example.org" for w in ("AUTHOR", "COMMITTER") for f in ("NAME", "EMAIL")}
    run = ["git", "-C", str(PLACE), *words]
    return subprocess.run(
        run, input=text, capture_output=True, text=True, check=True, env={**os.environ, **who}
    ).stdout.strip()


def commit(name, text, *parents):
    blob = git("hash-object", "-w", "--stdin", text=text)
    tree = git("mktree", text=f"100644 blob {blob}\t{name}\n")
    return git("commit-tree", tree, "-m", text, *(w for p in parents for w in ("-p", p)))


def prepare():
    git("init", "--bare", "--quiet", "--initial-branch=main")
    begin = commit("README", "begin")
    git("update-ref", "refs/heads/main", begin)
    for number in range(1, 20):
        git("update-ref", f"refs/pull/{number}/head", commit("README", f"change {number}", begin))
    api("connectRepository", address=str(PLACE))
    api("createQueue", requiredStatuses=["ci"])
    about = f"test-results?repo={REPO}&branch=main&commit=c0ffee&job=ci"
    case = "<testsuite name='s'><testcase classname='Cart' name='adds'>%s</testcase></testsuite>"
    api(about, case % "<failure message='boom'/>", "application/xml")
    api(about + "&attempt=2", case % "", "application/xml")
    api("repositories/set-test-settings", quarantining=True)


def field(value, name):
    """A field of the client's, which newer ones spell another way."""
    return getattr(value, name) if hasattr(value, name) else getattr(value, "".join(
        "_" + c.lower() if c.isupper() else c for c in name))


class Agent:
    def __init__(self, client):
        self.client = client
        self.used = set()

    async def call(self, tool, said, **arguments):
        self.used.add(tool)
        result = await self.client.call_tool(tool, arguments)
        text = result.content[0].text
        assert not field(result, "isError"), f"{tool}: {text}"
        assert said in text, f"{tool}: wanted {said!r} in {text!r}"
        return field(result, "structuredContent")

    async def until(self, state, number):
        for _ in range(300):
            pr = await self.call("get_pull_request", f"#{number}", **QUEUE, pr=number)
            if pr["state"] == state:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"#{number} never came to {state}: {pr}")

    async def run(self, number, other=""):
        for _ in range(300):
            runs = api("getMergeQueueTestingDetails", pr={"number": number})["testRuns"]
            if runs and runs[0]["testBranchSha"] and runs[0]["testRunId"] != other:
                return runs[0]["testRunId"]
            await asyncio.sleep(0.1)
        raise AssertionError(f"#{number} is not tested")

    async def use_every_tool(self, number):
        tools = {tool.name for tool in (await self.client.list_tools()).tools}
        await self.call("list_repositories", REPO)
        await self.call("list_queues", "branch main: RUNNING", repo=REPO)
        await self.call("submit_pull_request", f"#{number}", **QUEUE, pr=number, priority="high")
        await self.call("get_queue", f"#{number}", **QUEUE)
        run = await self.run(number)
        await self.call("restart_tests", "begin again", **QUEUE, pr=number)
        run = await self.run(number, run)
        api("reportTestStatus", testRunId=run, name="ci", state="FAILURE")
        await self.until("FAILED", number)
        why = await self.call("explain_failure", "status ci: FAILURE", **QUEUE, pr=number)
        assert why["pullRequest"]["reason"]["code"] == "test_failed", why
        await self.call("submit_pull_request", f"#{number + 1}", **QUEUE, pr=number + 1)
        await self.call("cancel_pull_request", "out of the queue", **QUEUE, pr=number + 1)
        await self.until("CANCELLED", number + 1)
        failing = await self.call("list_failing_tests", "Cart adds", repo=REPO)
        test = {"repo": REPO, "test_id": failing["tests"][0]["id"]}
        await self.call("list_tests", "Cart adds", repo=REPO, search="adds")
        await self.call("get_test_health", "Cart adds", repo=REPO, name="adds")
        decided = {"setting": "ALWAYS_QUARANTINE", "reason": "it races", "after_passes": 20}
        await self.call("quarantine_test", "is quarantined now", **test, **decided)
        await self.call("quarantine_test", "is not quarantined now", **test, setting="NONE")
        await self.call("link_ticket", "KEY-1", **test, ticket="KEY-1")
        assert self.used == tools, self.used ^ tools
        refused = await self.client.call_tool("get_queue", {"repo": REPO, "branch": "none"})
        assert field(refused, "isError") and "no queue" in refused.content[0].text, refused
        return len(tools)


def over_http():
    headers = {"Authorization": f"Bearer {KEY}"}
    if hasattr(streamable_http, "streamablehttp_client"):
        return streamable_http.streamablehttp_client(f"{URL}/mcp", headers=headers)
    import httpx2

    http = httpx2.AsyncClient(headers=headers, timeout=60)
    return streamable_http.streamable_http_client(f"{URL}/mcp", http_client=http)


def as_program():
    variables = {**os.environ, "MAINSTAY_URL": URL, "MAINSTAY_API_TOKEN": KEY}
    return stdio_client(StdioServerParameters(command=MAINSTAY, args=["mcp"], env=variables))


@contextlib.asynccontextmanager
async def after_a_handshake(transport):
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        agreed = await session.initialize()
        yield session, field(agreed, "protocolVersion")


@contextlib.asynccontextmanager
async def without_a_handshake(transport):
    from mcp import Client

    async with Client(transport) as client:
        yield client, client.protocol_version


async def main():
    prepare()
    ways = [after_a_handshake]
    if int(VERSION.partition(".")[0]) >= 2:
        ways.append(without_a_handshake)
    number = 1
    for way in ways:
        for transport in (over_http, as_program):
            async with way(transport()) as (client, spoken):
                count = await Agent(client).use_every_tool(number)
            number += 2
            how = f"{transport.__name__} {way.__name__}".replace("_", " ")
            print(f"ok: {count} tools used by mcp {VERSION} {how}, speaking {spoken}")


asyncio.run(main())
