"""The steps of action.yml and the job of packaging/gitlab.yml, run without a server: their `run:` and `script:` parts are
taken from the files and executed as a runner does, with files in place of its own and with a curl that keeps comments.

usage: action.py TOP        with stepstat in PATH; prints TAP
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

TOP = os.path.abspath(sys.argv[1])
STEPSTAT = os.path.abspath(shutil.which("stepstat"))
WORK = tempfile.mkdtemp()
BASE = TOP + "/examples/ci/base"
SLOW = TOP + "/examples/ci/new"
WAIVER = "  waivers:\n    - ops: '/augment/'\n      ceiling: 9000%\n      owner: a@b\n      expires: 2999-12-31\n      reason: r\n"
COMMENT_MOST = 65536  # characters, GitHub

# The server behind this curl has the comments of WORK/comments; it writes down every call. Tokens may read; `writer` and
# `person` may write. A job's token is no user.
CURL = r'''#!@PYTHON@
import json, os, re, shutil, sys
work, given = "@WORK@", sys.argv[1:]
if "--output" in given:
    shutil.copy(work + "/served/" + os.path.basename(given[-1]), given[given.index("--output") + 1])
    sys.exit(0)
header = re.search('header = "(.*)"', sys.stdin.read()).group(1)
method, url = given[given.index("--request") + 1], given[-1]
token = header.split()[-1]
assert token not in " ".join(given)
with open(work + "/calls", "a") as f:
    print(method, url, header, file=f)
comments = json.load(open(work + "/comments"))
who = {"writer": {"login": "github-actions[bot]", "type": "Bot"}, "reader": None, "person": {"username": "ci", "login": "ci"}}[token]
path, query = (url.split("?") + [""])[:2]
def refuse(status):
    sys.stderr.write("curl: (22) The requested URL returned error: %d\n" % status)
    sys.exit(22)
if "--data-binary" in given:
    body = json.loads(open(given[given.index("--data-binary") + 1][1:], encoding="utf-8").read())["body"]
    assert len(body) <= 65536, len(body)
    if token == "reader":
        refuse(403)
if path.endswith("/user"):
    if token != "person":
        refuse(403)
    json.dump(who, sys.stdout)
elif method == "GET":
    page = int(re.search(r"\bpage=(\d+)", query).group(1))
    json.dump(comments[(page - 1) * 100:page * 100], sys.stdout)
elif method == "POST":
    comments.append({"id": 1000 + len(comments), "body": body, "user": who, "author": who})
else:
    assert method in ("PATCH", "PUT")
    [c for c in comments if c["id"] == int(path.split("/")[-1])][0]["body"] = body
json.dump(comments, open(work + "/comments", "w"))
'''

# A program that dies when it has written half of its files.
CRASH = '''#!/bin/sh
case $1 in
gate) echo '**green**' >stepstat-gate/gate.md; echo '{}' >stepstat-gate/gate.json; kill -SEGV $$ ;;
*) exec @STEPSTAT@ "$@" ;;
esac
'''


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def unquote(s):
    """The word without quotes and without the comment after it."""
    s = re.match(r"\s*('[^']*'|\"[^\"]*\"|.*?)\s*( #.*)?$", s).group(1)
    return s[1:-1] if len(s) > 1 and s[0] == s[-1] and s[0] in "'\"" else s


def yaml_lines(path):
    return [l for l in read(path).splitlines() if l.strip() and not l.lstrip().startswith("#")]


def block(lines, start):
    """The lines after `start` that are indented more than it."""
    depth = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    return lines[start + 1:end]


def mapping(lines):
    """As much of YAML as the two files use: nested mappings of plain and quoted words, lists of words, lists of mappings."""
    result, i = {}, 0
    while i < len(lines):
        key, value = re.match(r"\s*([\w.-]+):(?:\s+(.*))?$", lines[i]).groups()
        inside = block(lines, i)
        if value is None and inside and inside[0].lstrip().startswith("- "):
            result[key] = sequence(inside)
        else:
            result[key] = mapping(inside) if value is None else unquote(value)
        i += 1 + len(inside)
    return result


def sequence(lines):
    items, i = [], 0
    while i < len(lines):
        inside = block(lines, i)
        head = lines[i].replace("- ", "  ", 1)
        if re.match(r"\s*[\w-]+:( |$)", head) and not head.lstrip().startswith("'"):
            items.append(mapping([head] + inside))
        else:
            items.append(unquote(lines[i].strip()[2:]))
        i += 1 + len(inside)
    return items


ACTION = mapping(yaml_lines(TOP + "/action.yml"))


def look_up(context, path):
    for part in path.strip().split("."):
        context = context.get(part, {})
    return context if isinstance(context, str) else ""


def expand(text, context):
    def value(match):
        return next((v for v in (look_up(context, p) for p in match.group(1).split("||")) if v), "")
    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def holds(condition, context, failed):
    if condition is None:
        return not failed
    always, path = re.match(r"(always\(\)) && ([\w.]+) != ''$", condition).groups()
    return bool(always) and look_up(context, path) != ""


class Job:
    """What is left of a job: status, output, outputs of the action, summary, uploads, comments."""


def environment(folder, extra):
    env = {"PATH": WORK + "/bin:" + os.environ["PATH"], "HOME": WORK, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    env.update(extra)
    return env


def execute(script, env, folder):
    write(WORK + "/step.sh", script + "\n")
    done = subprocess.run(["sh", "-e", WORK + "/step.sh"], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return (128 - done.returncode if done.returncode < 0 else done.returncode), done.stdout.decode("utf-8", "replace")


def action(folder, inputs, event=None, path=None, merge=""):
    """Runs the steps of action.yml as GitHub's runner does; `merge` is the commit that is checked out for a pull request."""
    job = Job()
    github = {"token": "", "sha": "5" * 40, "event": event or {}}
    given = {name: expand(about.get("default", ""), {"github": github}) for name, about in ACTION["inputs"].items()}
    assert set(inputs) <= set(given), "no such input"
    given.update(inputs)
    context = {"inputs": given, "github": github, "steps": {}}
    files = {name: WORK + "/" + name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
    job.status, job.said, job.uploads = 0, "", []
    for file in list(files.values()) + [WORK + "/calls"]:
        write(file, "")
    for step in ACTION["runs"]["steps"]:
        if not holds(step.get("if"), context, job.status):
            continue
        if "uses" in step:
            where = os.path.join(folder, expand(step["with"]["path"], context))
            job.uploads = sorted(os.listdir(where))
            job.artifact = expand(step["with"]["name"], context)
            continue
        env = environment(folder, dict(
            files, GITHUB_ACTIONS="true", GITHUB_ACTION_PATH=TOP, GITHUB_REPOSITORY="team/model",
            GITHUB_API_URL="https://api.test", GITHUB_SERVER_URL="https://hub.test", GITHUB_RUN_ID="77",
            GITHUB_SHA=merge, GITHUB_REF="refs/pull/7/merge" if merge else "refs/heads/main",
            RUNNER_NAME="bench`@octocat", RUNNER_TEMP=WORK + "/runner"))
        env["PATH"] = ":".join(reversed(read(files["GITHUB_PATH"]).split())) + ":" + (path + ":" if path else "") + env["PATH"]
        env.update({k: expand(v, context) for k, v in step.get("env", {}).items()})
        write(files["GITHUB_OUTPUT"], "")
        status, said = execute(step["run"], env, folder)
        job.said += said
        job.status = job.status or status
        if "id" in step:
            context["steps"][step["id"]] = {
                "outputs": dict(line.split("=", 1) for line in read(files["GITHUB_OUTPUT"]).splitlines())}
    job.outputs = {k: expand(v["value"], context) for k, v in ACTION["outputs"].items()}
    job.summary = read(files["GITHUB_STEP_SUMMARY"])
    job.calls = read(WORK + "/calls").splitlines()
    job.comments = json.loads(read(WORK + "/comments"))
    return job


def server(comments=()):
    write(WORK + "/comments", json.dumps(list(comments)))


def pull_request(sha=""):
    return {"pull_request": {"number": "7", "base": {"sha": sha}, "head": {"sha": "6" * 40}}}


count = bad_count = 0
problems = []


def check(what, found, expected):
    if found != expected:
        problems.append("%s: found %r, expected %r" % (what, found, expected))


def has(what, text, part):
    if part not in text:
        problems.append("%s: no %r in %r" % (what, part, text[-1500:]))


def done(name):
    global count, bad_count
    count += 1
    for line in problems:
        print("# " + line.replace("\n", "\n# "))
    bad_count += bool(problems)
    print("%s %d - %s" % ("not ok" if problems else "ok", count, name))
    problems.clear()
    sys.stdout.flush()


def skip(name, why):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name, why))


def git(folder, *words):
    settings = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git"] + settings + list(words), cwd=folder, check=True, stdout=subprocess.PIPE,
                          env=environment(folder, {})).stdout.decode().strip()


def commit(folder, text):
    write(folder + "/stepstat.yaml", text)
    git(folder, "add", "stepstat.yaml")
    git(folder, "commit", "-qm", "x")
    return git(folder, "rev-parse", "HEAD")


def junit(folder):
    """Checks and failed checks as JUnit has them, where a gate without an answer is a test that ends with an error, too."""
    suites = re.search(r'<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"', read(folder + "/stepstat-gate/gate.xml"))
    tests, failures, errors = (int(n) for n in suites.groups())
    return tests - errors, failures


def fresh(name):
    folder = WORK + "/" + name
    os.makedirs(folder)
    return folder


FILES = ["base.obs", "gate.json", "gate.md", "gate.xml", "new.obs"]


def answers():
    """Green, red, blind, unusable, wrong and crash: status, outputs, summary, annotation, files, one comment each."""
    models = TOP + "/tests/data/models/ab"
    folder = fresh("answers")
    for name in ["base_%d.gz", "same_%d.gz"]:
        for r in range(1, 6):
            write(folder + "/" + name[:4] + "/x", "")
            shutil.copy(models + "/" + name % r, folder + "/" + name[:4])
    for side in ("base", "same"):
        os.remove(folder + "/" + side + "/x")
    cases = [
        ("green", 0, "base", "same", "100%", "::notice title=stepstat gate::green", "\u2705"),
        ("red", 1, BASE, SLOW, "100%", "::error title=REGRESSED%3A [the step] time (all ops)::", "\u274c **REGRESSED**"),
        ("blind", 4, "base", "same", "2%", "::warning title=stepstat gate::", "blind"),
        ("unusable", 3, "nowhere", "same", "", "::error title=stepstat gate::no result (unusable, exit status 3)", "cannot open"),
        ("wrong", 2, "base", "same", "soon", "::error title=stepstat gate::no result (wrong, exit status 2)", "--margin"),
        ("crash", 139, "base", "same", "", "::error title=stepstat gate::no result (crash, exit status 139)", "exit status 139"),
    ]
    server()
    for answer, status, base, new, margin, annotation, summary in cases:
        job = action(folder, {"base": base, "new": new, "margin": margin, "token": "writer"}, pull_request(),
                     WORK + "/crash" if answer == "crash" else None)
        check("job", job.status, status)
        check("status", job.outputs["status"], str(status))
        check("answer", job.outputs["answer"], answer)
        has("annotation", job.said, annotation)
        has("summary", job.summary, summary)
        check("artifact", job.artifact, "stepstat")
        if answer in ("green", "red", "blind"):
            tests, failures = junit(folder)
            counts = [int(job.outputs[k]) for k in ("failed", "undecided", "unusable", "waived", "skipped", "passed")]
            check("failed", counts[0], failures)
            check("checks", sum(counts), tests)
            check("files", job.uploads, FILES)
        else:
            check("failed", job.outputs["failed"], "")
            check("files", job.uploads, ["gate.md"])
        # One comment, whose text is that of the summary under a line that nobody sees.
        check("comments", [c["body"] for c in job.comments], ["<!-- stepstat gate: stepstat -->\n" + job.summary])
        done("the action, " + answer)
    for side in ("base", "new"):
        action(folder, {"base": BASE, "new": SLOW})
        subprocess.run([STEPSTAT, "export", {"base": BASE, "new": SLOW}[side], "-o", WORK + "/own.obs"], check=True)
        with open(WORK + "/own.obs", "rb") as own, open(folder + "/stepstat-gate/%s.obs" % side, "rb") as kept:
            check(side + ".obs", kept.read() == own.read(), True)
    done("the observations that are kept are those of stepstat export")


def comment_once():
    """Found on the second page, past those of others with the same mark; another gate has its own."""
    folder = fresh("once")
    mark = "<!-- stepstat gate: stepstat -->\n"
    stranger = {"login": "mallory", "type": "User"}
    others = [{"id": 1, "body": mark + "green", "user": stranger}, {"id": 2, "body": None, "user": None}]
    others += [{"id": 3 + i, "body": "> " + mark, "user": {"type": "Bot"}} for i in range(130)]
    server(others)
    red = {"base": BASE, "new": SLOW, "token": "writer"}
    first = action(folder, red, pull_request())
    second = action(folder, dict(red, margin="100%"), pull_request())
    check("comments", len(second.comments), len(others) + 1)
    check("others", second.comments[:-1], others)
    check("changed", second.comments[-1]["body"], mark + second.summary)
    check("not the same", first.comments[-1]["body"] == second.comments[-1]["body"], False)
    check("calls", [c.split(" ")[0] for c in second.calls], ["GET", "GET", "GET", "PATCH"])
    third = action(folder, dict(red, name="a--> b"), pull_request())
    check("a second gate", third.comments[-1]["body"], "<!-- stepstat gate: a-b -->\n" + third.summary)
    check("all", len(third.comments), len(others) + 2)
    done("a comment is changed and not repeated")


def forks():
    folder = fresh("forks")
    red = {"base": BASE, "new": SLOW}
    for what, token, event, said in [
            ("no token", "", pull_request(), "there is no token"),
            ("a token that may not write", "reader", pull_request(), "the token must not write one"),
            ("no pull request", "writer", {}, "this is no pull request")]:
        server()
        job = action(folder, dict(red, token=token), event)
        check("job", job.status, 1)
        has("summary", job.summary, "REGRESSED")
        has("said", job.said, "::notice title=stepstat::no comment: " + said)
        check("comments", job.comments, [])
        done("the summary alone: " + what)


def last_line():
    """Both commits, the machine and a link; names of runners are a code span."""
    folder = fresh("last")
    server()
    git(folder, "init", "-q")
    old = commit(folder, "gate:\n  margin: 100%\n")
    git(folder, "checkout", "-qb", "topic")
    commit(folder, "gate:\n  margin: 99%\n")
    git(folder, "checkout", "-q", "main")
    write(folder + "/later", "")
    git(folder, "add", "later")
    git(folder, "commit", "-qm", "later")
    base = git(folder, "rev-parse", "HEAD")
    git(folder, "merge", "-q", "--no-ff", "-m", "m", "topic")
    link = "[%.9s](https://hub.test/team/model/commit/%s)"
    job_link = "[job](https://hub.test/team/model/actions/runs/77)"
    for what, event, merge, inputs, expected in [
            ("a merge", pull_request(old), git(folder, "rev-parse", "HEAD"), {"machine": "h100 `@a`\n/close"},
             r"base %s, new %s, machine `h100 '@a' /close`, " % (link % (base, base), link % ("6" * 40, "6" * 40))),
            ("no merge", pull_request(old), "", {}, r"base %s, new %s, machine `bench'@octocat " % (
                link % (old, old), link % ("6" * 40, "6" * 40))),
            ("no pull request", {}, "", {}, "new %s, machine `bench'" % (link % ("5" * 40, "5" * 40)))]:
        job = action(folder, dict(inputs, base=BASE, new=SLOW), event, merge=merge)
        line = job.summary.splitlines()[-1]
        check(what + ": " + line, (line.startswith(expected), line.endswith(", " + job_link)), (True, True))
        check("empty line before", job.summary.splitlines()[-2], "")
        check("a day", bool(re.search(r", 20\d\d-\d\d-\d\d, \[job", line)), True)
    done("the last line: both commits, machine, link")


def mentions():
    """Nothing of an input is a mention, on GitHub and GitLab: names are code spans, else `@` and name are kept apart."""
    folder = fresh("mentions")
    server()
    for side, factor in (("@base", 1.0), ("@new", 1.5)):
        with open(folder + "/" + side + ".csv", "w") as f:
            print("run,step,op,time_us,driver,commit", file=f)
            for run in range(1, 6):
                for op in ("@octocat", "a/@octocat", "\\\\@octocat", "plain"):
                    print("%d,1,%s,%g,@octocat %s,@octocat/%s" % (run, op, factor * (1000 + run * 3 % 7), side, side), file=f)
    write(folder + "/stepstat.yaml", "gate:\n  policies:\n    - name: '@octocat'\n      ops: 'a/@octocat'\n      watch: true\n"
          "  waivers:\n    - ops: '^@octocat$'\n      owner: '@octocat'\n      expires: 2999-12-31\n      reason: 'ask \\@octocat'\n")
    for inputs in ({"base": "@base.csv", "new": "@new.csv"}, {"base": "@octocat", "new": "@new.csv"}):
        job = action(folder, dict(inputs, token="writer"), pull_request())
        text = job.comments[0]["body"]
        has("a mention, made harmless", text, "octocat")
        # What is left beside code spans and blocks of code.
        left = re.sub(r"(?m)^    .*$", "", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text))
        check("mentions", re.findall(r"@[A-Za-z0-9].*", left), [])
    done("nobody is mentioned")


def many_ops():
    """5000 regressed ops with long names: the comment is below the limit, with its mark."""
    folder = fresh("many")
    for side, factor in (("base", 1.0), ("new", 1.5)):
        with open(folder + "/" + side + ".csv", "w") as f:
            print("run,step,op,time_us", file=f)
            for run in range(1, 4):
                for op in range(5000):
                    name = "network/with/a/rather/long/scope/block_%04d/layer_%04d/MatMul" % (op, op)
                    print("%d,1,%s,%g" % (run, name, factor * (1000 + 7 * ((op * 13 + run * 31) % 11))), file=f)
    server()
    job = action(folder, {"base": "base.csv", "new": "new.csv", "token": "writer", "options": "--min-share=0%\n--alpha=4%",
                          "name": "n" * 100}, pull_request())
    check("job", job.status, 1)
    check("failed", job.outputs["failed"], "5001")
    check("comments", len(job.comments), 1)
    check("fits", 60000 < len(job.comments[0]["body"]) < COMMENT_MOST, True)
    check("annotations", len(re.findall("(?m)^::error", job.said)), 10)
    done("a comment of 5000 regressed ops fits")


def policies():
    """A pull request that loosens stepstat.yaml, that removes it, that brings the first one; a base that is not there."""
    folder = fresh("policies")
    hard = "gate:\n  margin: 100%\n"
    red = {"base": BASE, "new": SLOW}
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "empty")
    empty = git(folder, "rev-parse", "HEAD")
    base = commit(folder, hard)
    head = commit(folder, hard + WAIVER)
    for what, sha, inputs, expected in [
            ("the base decides", base, {}, 1),
            ("the base decides, named", base, {"policy": "stepstat.yaml"}, 1),
            ("of the pull request, as asked", base, {"policy-from-base": "false"}, 0),
            ("in no pull request", "", {}, 0),
            ("a base without policies", empty, {}, 1),
            ("a base that is not there", "1" * 40, {}, 3)]:
        server()
        job = action(folder, dict(red, token="writer", **inputs), pull_request(sha))
        check(what, job.status, expected)
        if what == "the base decides":
            has("said", job.summary, "stepstat.yaml is not in force")
            check("kept", read(folder + "/stepstat-gate/policy-of-base.yaml"), hard)
        if expected == 3:
            has("comment", job.comments[0]["body"], "no result: the base commit " + "1" * 40 + " is not here")
            has("annotation", job.said, "::error title=stepstat gate::no result (unusable")
    git(folder, "rm", "-q", "--cached", "stepstat.yaml")
    os.remove(folder + "/stepstat.yaml")
    check("removed", action(folder, dict(red, policy="stepstat.yaml"), pull_request(base)).status, 1)
    check("removed, base with it", action(folder, dict(red, policy="stepstat.yaml"), pull_request(head)).status, 0)
    done("a pull request cannot loosen its own gate")


def wheels():
    """A wheel that is not there, one of another checksum, no stepstat at all: red, with what to do."""
    folder = fresh("wheels")
    write(folder + "/x.whl", "no wheel")
    red = {"base": BASE, "new": SLOW}
    for inputs, said in [({"wheel": "no.whl"}, "there is no wheel no.whl"),
                         ({"wheel": "x.whl", "wheel-sha256": "0" * 64}, "x.whl is not the file whose SHA-256 is 000")]:
        job = action(folder, dict(red, **inputs))
        check("job", job.status, 3)
        has("said", job.said, "::error title=stepstat::" + said)
        check("status", job.outputs["status"], "")
        check("files", job.uploads, [])
    done("a wheel that is not the right one")
    # No folder of the runner: a new one for each, which nobody else can have made before.
    os.makedirs(WORK + "/shared/stepstat-wheel")
    write(WORK + "/shared/stepstat-wheel/theirs", "")
    places = []
    for _ in range(2):
        _, text = execute("exec sh %s/packaging/action/install.sh" % TOP,
                          environment(folder, {"TMPDIR": WORK + "/shared", "STEPSTAT_WHEEL": "no.whl"}), folder)
        has("its place", text, "stepstat is in " + WORK + "/shared/")
        places.append(text.split("stepstat is in ")[-1].split("/bin")[0])
    check("two places", len({*places, WORK + "/shared/stepstat-wheel"}), 3)
    check("modes", [os.stat(place).st_mode & 0o777 for place in places], [0o700, 0o700])
    check("the folder of another", os.listdir(WORK + "/shared/stepstat-wheel"), ["theirs"])
    done("without RUNNER_TEMP the wheel has a folder of its own")


    # Nothing in PATH: built from the source that the action is in, of which this one has the two scripts that it calls.
    tools = WORK + "/tools"
    shutil.copytree(TOP + "/packaging/action", tools + "/packaging/action")
    bare = {"PATH": WORK + "/bare", "RUNNER_TEMP": WORK + "/runner2", "GITHUB_PATH": WORK + "/path2"}
    os.makedirs(WORK + "/bare")
    for program in ("sh", "cat", "cp", "dirname", "mkdir", "nproc", "rm", "tail"):
        os.symlink(shutil.which(program), WORK + "/bare/" + program)
    install = "exec sh %s/packaging/action/install.sh" % tools
    status, text = execute(install, environment(folder, bare), folder)
    check("no source", (status, "nor is its source here: give the input wheel" in text), (3, True))
    write(tools + "/scripts/deps", "#!/bin/sh\necho the packages $1\n", 0o755)
    write(tools + "/scripts/build", "#!/bin/sh\necho it failed; exit 1\n", 0o755)
    status, text = execute(install, environment(folder, bare), folder)
    check("no build: " + text, (status, "the packages build\nit failed\n::error" in text), (3, True))
    write(tools + "/scripts/build", "#!/bin/sh\nmkdir -p $1; echo '#!/bin/sh\necho built here' >$1/stepstat; /bin/chmod +x $1/stepstat\n", 0o755)
    status, text = execute(install, environment(folder, bare), folder)
    check("built: " + text, (status, text.splitlines()[-1]), (0, "built here"))
    check("for later steps", read(WORK + "/path2"), WORK + "/runner2/stepstat-wheel/bin\n")
    done("without a wheel, and with nothing in PATH, it is built")

    wheel = "stepstat-1-py3-none-any.whl"
    if subprocess.run([sys.executable, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL).returncode:
        skip("a wheel is installed", "no venv (Debian package python3-venv)")
        return
    os.makedirs(WORK + "/served")
    info = "stepstat-1.dist-info/"
    program = zipfile.ZipInfo("stepstat-1.data/scripts/stepstat")
    program.external_attr = 0o100755 << 16
    with zipfile.ZipFile(WORK + "/served/" + wheel, "w") as z:
        z.writestr(program, '#!/bin/sh\necho of the wheel\nexec %s "$@"\n' % STEPSTAT)
        z.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: stepstat\nVersion: 1\n")
        z.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: false\nTag: py3-none-any\n")
        z.writestr(info + "RECORD", "".join(n + ",,\n" for n in z.namelist() + [info + "RECORD"]))
    job = action(folder, dict(red, wheel="https://host.test/a/" + wheel))
    check("job", job.status, 1)
    check("its program runs " + job.said, job.said.count("of the wheel"), 4)  # --version, gate, export of two
    done("a wheel is installed from an address")


def scripts():
    """The shell of the scripts and of the `run:` parts has no mistake that shellcheck knows."""
    if not shutil.which("shellcheck"):
        skip("shellcheck", "no shellcheck (Debian package shellcheck)")
        return
    files = sorted(TOP + "/packaging/action/" + f for f in os.listdir(TOP + "/packaging/action") if f.endswith(".sh"))
    for i, step in enumerate(s for s in ACTION["runs"]["steps"] if "run" in s):
        files.append(WORK + "/run%d.sh" % i)
        write(files[-1], "#!/bin/sh\n" + step["run"] + "\n")
    for path in EXAMPLES:
        for i, script in enumerate(block_scripts(path)):
            files.append("%s/%s%d.sh" % (WORK, os.path.basename(path), i))
            write(files[-1], "#!/bin/sh\n" + script)
    found = subprocess.run(["shellcheck"] + files + [TOP + "/examples/ci/gate.sh"], stdout=subprocess.PIPE)
    check("shellcheck", found.stdout.decode(), "")
    done("shellcheck")


EXAMPLES = sorted(TOP + "/examples/ci/" + f for f in os.listdir(TOP + "/examples/ci") if f.endswith(".yml"))


def block_scripts(path):
    """The `run: |` and `- |` parts of a file."""
    lines, found = read(path).splitlines(), []
    for i, line in enumerate(lines):
        if re.match(r"\s*(run:|-) \|$", line):
            inside = block(lines, i)
            depth = min(len(l) - len(l.lstrip()) for l in inside if l.strip())
            found.append("\n".join(l[depth:] for l in inside) + "\n")
    return found


# A program that records: it writes down which version it is of, and copies a file of results to where it should be.
RECORDER = """#!/bin/sh
for word; do
    case $word in
    --profile=* | --benchmark-json=* | --benchmark_out=*) to=${word#*=} ;;
    --result-dir) next=dir ;;
    --result-filename) next=file ;;
    -B) next=make ;;
    *) case ${next:-} in dir) dir=$word ;; file) to=$dir/$word ;; make) mkdir -p "$word"; cp "$0" "$word/benchmarks" ;; esac; next= ;;
    esac
done
test -n "${to:-}" || exit 0
case ${0##*/} in vllm) cat served; rm served ;; benchmarks) cat "${0%%/build/*}/version" ;; *) cat version ;; esac >>@LOG@
echo " $to" >>@LOG@
n=$(sed -n "\\$=" @LOG@)
sed "s/@MINUTE@/$(printf %02d "$n")/g" @RESULTS@ >"$to"
"""


def recordings():
    """The steps that record run base, new, new, base, ...; what they write is compared round by round."""
    names = ["t%d" % n for n in range(12)]  # so many that rounds can narrow an interval
    one = "1.1%d@MINUTE@"
    results = {
        "pytest-benchmark.yml": json.dumps({"machine_info": {"cpu": {"brand_raw": "x"}}, "datetime": "2026-11-28T10:@MINUTE@:00", "benchmarks": [
            {"fullname": name, "stats": {"data": [one % n, "1.102"]}} for n, name in enumerate(names)]}),
        "google-benchmark.yml": json.dumps({
            "context": {"date": "2026-11-28T10:@MINUTE@:00+00:00", "library_build_type": "release"}, "benchmarks": [
                {"name": name, "run_type": "iteration", "iterations": 9, "real_time": one % n, "cpu_time": 1, "time_unit": "us"}
                for n, name in enumerate(names)]}),
        "vllm.yml": json.dumps(dict({"date": "20261128-10@MINUTE@00", "model_id": "m", "completed": 1000, "request_throughput": one % 1}, **{
            "%s_%s" % (stat, of): one % len(stat + of) for stat in ("mean", "median", "p90", "p99") for of in ("ttft_ms", "tpot_ms", "itl_ms")})),
        "github.yml": "run,step,op,time_us,start\n" + "".join(
            "x,1,%s,%s,2026-11-28T10:@MINUTE@:00\n" % (name, one % n) for n, name in enumerate(names)),
    }
    results["github-action.yml"] = results["gitlab.yml"] = results["gitlab-include.yml"] = results["github.yml"]
    check("every example", sorted(results), [os.path.basename(path) for path in EXAMPLES])
    for name in sorted(results):
        folder, log = fresh("record/" + name), WORK + "/record/" + name + ".log"
        write(WORK + "/results", re.sub(r'"(1\.1\d+@MINUTE@|1\.102)"', r"\1", results[name]))
        programs = WORK + "/programs/" + name
        for program in ("python", "cmake", "vllm", "sleep", "curl"):
            write(programs + "/" + program, RECORDER.replace("@LOG@", log).replace("@RESULTS@", WORK + "/results"), 0o755)
        git(folder, "init", "-q")
        for version in ("base", "new"):
            write(folder + "/version", version)
            write(folder + "/serve.sh", "cp version %s/served\nexec /bin/sleep 30\n" % folder)
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", version)
            git(folder, "branch", version)
        # A server answers when it is there.
        write(programs + "/curl", "#!/bin/sh\ntest -f %s/served\n" % folder, 0o755)
        write(programs + "/sleep", "#!/bin/sh\nexec /bin/sleep 0.1\n", 0o755)
        env = environment(folder, {"RUNNER_TEMP": WORK + "/temp/" + name, "GITHUB_WORKSPACE": folder, "CI_PROJECT_DIR": folder,
                                   "MODEL": "m", "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(folder, "rev-parse", "base")})
        env["PATH"] = programs + ":" + env["PATH"]
        script = block_scripts(TOP + "/examples/ci/" + name)[0]
        if name.startswith("gitlab"):
            script = "mkdir -p base new; git worktree add -q --detach $CI_PROJECT_DIR.base base\n" + script
        status, said = execute(script, env, folder)
        check(name + said, status, 0)
        order = read(log).splitlines()
        check(name + ", turns", [line.split()[0] for line in order], ["base", "new", "new", "base"] * 3)
        check(name + ", places", [line.split(" ")[-1].split("/")[-2] for line in order], ["base", "new", "new", "base"] * 3)
        for file in os.listdir(folder + "/base") + os.listdir(folder + "/new"):
            check(name + ", a file of its own", bool(re.match(r"run[1-6](\.json)?$", file)), True)
        compared = subprocess.run([STEPSTAT, "gate", "base", "new"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        has(name, compared.stdout.decode(), "base: 6 runs")
        if name != "vllm.yml":  # one row
            has(name, compared.stdout.decode(), "by round")
    done("the examples record in turns")


def documents():
    """The YAML of the pages: a fence each."""
    pages = [TOP + "/README.md", TOP + "/examples/ci/README.md"] + sorted(TOP + "/doc/" + f for f in os.listdir(TOP + "/doc"))
    for page in pages:
        if page.endswith(".md"):
            for i, text in enumerate(re.findall(r"(?s)\n *```yaml\n(.*?)\n *```", read(page))):
                yield "%s, %d" % (page, i + 1), text


def lint():
    """What zizmor and actionlint say of workflows, as far as it can be seen without them."""
    texts = [(path, read(path)) for path in EXAMPLES + [TOP + "/action.yml"]] + list(documents())
    pinned = 0
    for path, text in texts:
        path = path[len(TOP) + 1:]
        lines = text.splitlines()
        for i, line in enumerate(lines):
            if re.match(r"\s*(- )?uses:", line):
                pinned += 1
                check(path + line, bool(re.match(r"\s*(- )?uses: [\w./-]+@[0-9a-f]{40} # \S", line)), True)
                if "actions/checkout@" in line:
                    has(path + " after checkout", "\n".join(block(lines, i)), "persist-credentials: false")
            if re.match(r"\s*(- )?run:", line):
                check(path + ", expressions in a script", re.findall(r"\$\{\{", line + "\n".join(block(lines, i))), [])
            if "cancel-in-progress: true" in line:
                has(path + ", group of one pull request", lines[i - 1], "github.event.pull_request.number")
            if line.startswith("concurrency:"):
                has(path + ", concurrency", "\n".join(block(lines, i)), "cancel-in-progress: true")
            if line == "  " + line.strip() and line.endswith(":") and "\njobs:" in "\n".join(lines[:i + 1]):
                has(path + ", a job", "\n".join(block(lines, i)), "permissions:\n")
                has(path + ", a job", "\n".join(block(lines, i)), "timeout-minutes:")
        if "\njobs:" in text:
            has(path, text, "\npermissions: {}\n")
            check(path + ", events", re.findall(r"pull_request_target|workflow_run", text), [])
    check("actions seen", pinned > 12, True)
    done("workflows are pinned, without credentials, rights and expressions that they do not need")
    folder = fresh("workflows")
    git(folder, "init", "-q")
    os.makedirs(folder + "/.github/workflows")
    shutil.copy(TOP + "/action.yml", folder)
    for path in EXAMPLES:
        if "/gitlab" not in path:
            shutil.copy(path, folder + "/.github/workflows")
    for program, words in (("actionlint", []), ("zizmor", ["--offline", "--no-progress", "."])):
        if not shutil.which(program):
            skip(program, "no " + program)
            continue
        found = subprocess.run([program] + words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(found.stdout.decode(), found.returncode, 0)
        done(program)


def gitlab():
    """The job of packaging/gitlab.yml: the gate's status, the policies of the target branch, one comment."""
    job = mapping(yaml_lines(TOP + "/packaging/gitlab.yml"))[".stepstat-gate"]
    origin = fresh("origin")
    git(origin, "init", "-q")
    commit_of_base = commit(origin, "gate:\n  margin: 100%\n")
    git(WORK, "clone", "-q", origin, "gitlab")
    folder = WORK + "/gitlab"
    write(folder + "/stepstat.yaml", "gate:\n  margin: 100%\n" + WAIVER)
    server([])
    for merge_request, expected, comments in (("", 0, 0), ("7", 1, 1), ("7", 1, 1)):
        given = dict(job["variables"], STEPSTAT_TOOLS=TOP, STEPSTAT_BASE=BASE, STEPSTAT_NEW=SLOW, GITLAB_CI="true",
                     CI_API_V4_URL="https://lab.test/api/v4", CI_PROJECT_ID="5", CI_COMMIT_SHA="8" * 40,
                     CI_PROJECT_URL="https://lab.test/x", CI_JOB_URL="https://lab.test/x/-/jobs/3", CI_RUNNER_DESCRIPTION="r", COMMENT_TOKEN="person",
                     CI_MERGE_REQUEST_IID=merge_request,
                     CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main" if merge_request else "")
        write(WORK + "/calls", "")
        status, said = execute("\n".join(job["script"]), environment(folder, given), folder)
        check("job" + said, status, expected)
        last = read(folder + "/stepstat-gate/gate.md").splitlines()[-1]
        has("the last line", last, "new [888888888](https://lab.test/x/-/commit/%s), machine `r " % ("8" * 40))
        check("base", last.startswith("base [%.9s](" % commit_of_base), bool(merge_request))
        has("the last line", last, ", [job](https://lab.test/x/-/jobs/3)")
        after, said = execute("\n".join(job["after_script"]), environment(folder, given), folder)
        check("comment" + said, after, 0)
        check("comments", len(json.loads(read(WORK + "/comments"))), comments)
        check("files", sorted(f for f in os.listdir(folder + "/stepstat-gate") if f in FILES), FILES)
    check("calls", [c.split(" ")[:2] for c in read(WORK + "/calls").splitlines()][1:], [
        ["GET", "https://lab.test/api/v4/projects/5/merge_requests/7/notes?per_page=100&page=1"],
        ["PUT", "https://lab.test/api/v4/projects/5/merge_requests/7/notes/1000"]])
    done("the job for GitLab")


def main():
    python = sys.executable
    write(WORK + "/bin/curl", CURL.replace("@PYTHON@", python).replace("@WORK@", WORK), 0o755)
    write(WORK + "/bin/python3", '#!/bin/sh\nexec %s "$@"\n' % python, 0o755)
    write(WORK + "/crash/stepstat", CRASH.replace("@STEPSTAT@", STEPSTAT), 0o755)
    answers()
    comment_once()
    forks()
    mentions()
    many_ops()
    wheels()
    scripts()
    if shutil.which("git"):
        policies()
        gitlab()
        last_line()
        recordings()
        lint()
    else:
        skip("a pull request cannot loosen its own gate", "no git (Debian package git)")
    print("1..%d" % count)


try:
    main()
finally:
    shutil.rmtree(WORK)
