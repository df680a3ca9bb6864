"""Gives a node a queue with a pull request that merges, and results of tests, by its API alone."""
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

url, token, repository = os.environ["MAINSTAY_URL"], os.environ["MAINSTAY_TOKEN"], sys.argv[1]
repo = {"host": "git.example", "owner": "acme", "name": "shop"}


def call(path, body, kind="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"x-api-token": token, "content-type": kind})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        sys.exit(f"{path}: {refused.read().decode()}")


def git(*words):
    subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True)


os.mkdir(repository)
git("init", "-q", "-b", "main")
git("config", "user.name", "Ann")
git("config", "user.email", "ann@example.com")
git("commit", "-q", "--allow-empty", "-m", "begin")
git("checkout", "-q", "-b", "change")
with open(f"{repository}/a.txt", "w", encoding="utf-8") as file:
    file.write("a\n")
git("add", "a.txt")
git("commit", "-q", "-m", "change")
git("update-ref", "refs/pull/1/head", "change")
git("checkout", "-q", "main")
git("checkout", "-q", "--detach")

call("/v1/connectRepository", {"repo": repo, "address": repository})
queue = {"repo": repo, "targetBranch": "main"}
call("/v1/createQueue", {**queue, "requiredStatuses": []})
change = {**queue, "pr": {"number": 1}}
call("/v1/submitPullRequest", change)
end = time.monotonic() + 90
while (state := call("/v1/getSubmittedPullRequest", change)["state"]) != "MERGED":
    if time.monotonic() > end:
        sys.exit(f"the pull request is {state}")
    time.sleep(0.2)
report = b'<testsuite name="shop"><testcase classname="Cart" name="adds"/></testsuite>'
call("/v1/test-results?repo=git.example/acme/shop&branch=main&commit=c0ffee", report, "application/xml")
