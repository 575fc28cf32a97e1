"""40 pages of recordings of many producers, at three widths, with script, without, and printed, in Chromium and (where it is installed) Firefox.

usage: pages_many.py STEPSTAT [--only=NAME,...] [--pictures=FOLDER]

Each page is looked at by rules alone: no label lies over another, nothing is outside of the window, no message, no request, no number that is none, at
most 60 words above the first plot or table; and by what people need who do not see it: names of controls and plots, roles, headings in order, contrast
of text and plots, light and dark. AXE_CORE is a file of axe-core (npm's axe.min.js), which Debian has not; its rules are asked, too, then.
TAP on standard output; all is skipped where there is no Chromium.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pages_compare as rules
from devtools import Browser, find_browser
from pages import CONTRAST, TOP
from pages_compare import SEEN, WIDTHS, ok

D = "tests/data/"
PAPER = 1032  # px of a landscape A4 sheet within its margins
SHEETS_MOST = 20
PAGES = [(name, ["report", *words.split()]) for name, words in (
    ("tfprof", "examples/resnet_tower"), ("tfprof_runs", "examples/ci/base"), ("tfprof_gpu", D + "tf_timeline/gpu_synth"), ("tfprof_text", D + "tfprof_text/gpu_synth"),
    ("overlap", D + "golden/train --value=total"), ("memory", "examples/resnet_tower --measures=requested"), ("occurrence", D + "golden/train --measures=occurrence"),
    ("one_step", D + "golden/names"), ("by_class", "examples/resnet_tower --by=class"), ("run_metadata", D + "run_metadata/resnet_tower"),
    ("tf_timeline", D + "tf_timeline/KittiBox"), ("kineto_cpu", D + "kineto/conv-all-r1.json.gz"), ("kineto_gpu", D + "kineto/two_steps_v100.json.gz"),
    ("kineto_mi300", D + "kineto/bert_mi300.json.gz"), ("kineto_job", D + "kineto/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"),
    ("no_steps", D + "kineto/mlp-nostep-r1.json.gz"), ("per_call", D + "kineto/mlp-base-r2.json.gz --per=call"), ("host_rows", D + "kineto/two_steps_v100.json.gz --on=host"),
    ("gloo", D + "ranks/gloo"), ("nccl", D + "ranks/nccl"), ("ranks_csv", D + "ranks/job.csv"), ("jax", D + "jax_trace/mlp-base-r1.trace.json.gz"),
    ("xplane_gpu", D + "xplane/gpu-jax08_gemm.xplane.pb.gz"), ("xplane_tpu", D + "xplane/tpu-inference.xplane.pb.gz"), ("tf2", D + "xplane/tf2-mlp-base-r1.xplane.pb.gz"),
    ("onnxruntime", D + "onnxruntime/mlp-base-r1.json.gz"), ("nsight", D + "nsight/steps.sqlite.gz"), ("rocpd", D + "rocpd/421_results.db.gz"),
    ("perfetto", D + "pftrace/mlp-base-r2.cuspy.pftrace.gz"), ("chrome", D + "chrome/viztracer.json.gz"), ("shift", D + "causes/shift-one-run.csv"),
    ("benchmarks", D + "benchmarks/micro"))] + [
    ("compare_tf", ["compare", "examples/ci/base", "examples/ci/new"]), ("gate_tf", ["gate", "examples/ci/base", "examples/ci/new"]),
    ("compare_class", ["compare", "examples/ci/base", "examples/ci/new", "--by=class"]),
    ("compare_jax", ["compare", D + "xplane/jax-mlp-base-r1.xplane.pb.gz", D + "xplane/jax-mlp-changed-r1.xplane.pb.gz"]),
    ("compare_xplane", ["compare", D + "xplane/tf2-mlp-base-r1.xplane.pb.gz", D + "xplane/tf2-mlp-changed-r1.xplane.pb.gz"]),
    ("gate_moe", ["gate", D + "gate/moe_base.csv.gz", D + "gate/moe_new.csv.gz"]), ("go", ["compare", D + "benchstat/crc-old.txt.gz", D + "benchstat/crc-new.txt.gz"]),
    ("ab", ["ab", D + "ab/regressed"]), ("history", ["history", D + "store/nights.csv", D + "store/later.csv"])]

# What a tool for accessibility looks for, of what pages have.
NEEDS = """(() => { const bad = [], name = e => (e.getAttribute('aria-label') || e.textContent || e.title || '').trim();
const seen = e => e.checkVisibility() && !e.closest('[aria-hidden=true]');
for (const e of document.querySelectorAll('button, select, a[href], summary, input')) if (seen(e) && !name(e)) bad.push('no name: ' + e.outerHTML.slice(0, 60));
for (const e of document.querySelectorAll('svg')) if (!e.closest('[aria-hidden=true]') && e.childElementCount && !(e.getAttribute('role') && e.getAttribute('aria-label'))) bad.push('plot without role or name');
for (const e of document.querySelectorAll('[role=application]')) if (e.tabIndex !== 0) bad.push('a plot that no key reaches');
for (const e of document.querySelectorAll('[aria-expanded]')) if (e.getAttribute('role') !== 'row' && e.tagName !== 'BUTTON') bad.push('aria-expanded on ' + e.tagName);
for (const e of document.querySelectorAll('[role=treegrid]')) if (!name(e) || !e.querySelector('[role=row] [role=gridcell]')) bad.push('a grid without name or cells');
for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) bad.push('tabindex above 0');
for (const e of document.querySelectorAll('table')) if (seen(e) && e.tHead && [...e.tHead.querySelectorAll('th')].some(h => h.checkVisibility() && !h.textContent.trim() && !h.querySelector('svg') && h.cellIndex === 0)) bad.push('a table whose first head is empty');
const ids = [...document.querySelectorAll('[id]')].map(e => e.id); if (new Set(ids).size !== ids.length) bad.push('an id twice');
let last = 0; for (const e of document.querySelectorAll('h1, h2, h3')) { if (!seen(e)) continue; const n = Number(e.tagName[1]); if (n > last + 1) bad.push('heading ' + e.textContent); last = n; }
if (document.querySelectorAll('h1').length !== 1) bad.push(document.querySelectorAll('h1').length + ' h1');
if (!document.documentElement.lang || !document.title || !document.querySelector('main')) bad.push('no language, title or main');
return [...new Set(bad)].slice(0, 8); })()"""
# Contrast of the texts of plots against the page, or against the box that they stand in.
INK = """(() => { const rgb = s => (s.match(/[\\d.]+/g) || []).map(Number), bad = new Set();
const lum = c => { const v = c.map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; }); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const page = rgb(getComputedStyle(document.documentElement).backgroundColor);
for (const t of document.querySelectorAll('svg text')) { const b = t.getBoundingClientRect(); if (!b.width) continue;
  let ground = page; const mx = b.left + b.width / 2, my = b.top + b.height / 2;
  for (const r of t.ownerSVGElement.querySelectorAll('rect')) { if (r.compareDocumentPosition(t) & 2) continue; const q = r.getBoundingClientRect(), f = getComputedStyle(r).fill;
    if (q.left <= mx && q.right >= mx && q.top <= my && q.bottom >= my && f.startsWith('rgb') && (rgb(f)[3] ?? 1) === 1) ground = rgb(f); }
  const a = lum(rgb(getComputedStyle(t).fill).slice(0, 3)), g = lum(ground.slice(0, 3)), ratio = (Math.max(a, g) + .05) / (Math.min(a, g) + .05);
  if (ratio < 4.5) bad.add(t.textContent.slice(0, 30) + ' ' + ratio.toFixed(2)); } return [...bad].slice(0, 5); })()"""
WORDS = "(/NaN|undefined|Infinity|\\[object/.exec(document.body.innerText) || [''])[0]"


def faults(js, width):
    """What is outside of the window, and which labels lie over others."""
    seen = js(SEEN)
    outside = [s for s in seen if s[1] < -1.1 or s[3] > width + 1.1]  # Firefox rounds boxes of texts up
    labels = [s for s in seen if s[0].lower() == "text"]
    over = [(a[5], b[5]) for i, a in enumerate(labels) for b in labels[i + 1:] if min(a[3], b[3]) - max(a[1], b[1]) > 1 and min(a[4], b[4]) - max(a[2], b[2]) > 3]
    wide = js("document.documentElement.scrollWidth")
    return outside[:3] + ([("scrolls", wide)] if wide > width else []), over[:3]


class Firefox:
    """A headless Firefox by its Marionette protocol: a length, a colon, and JSON."""

    def __init__(self, path):
        self.folder = tempfile.mkdtemp(prefix="stepstat-firefox-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(os.path.join(self.folder, "user.js"), "w", encoding="utf-8") as file:
            for key, value in (("marionette.port", port), ("network.proxy.type", 1), ("browser.shell.checkDefaultBrowser", False), ("datareporting.policy.dataSubmissionEnabled", False),
                               ("devtools.console.stdout.content", True), ("app.update.enabled", False)):
                file.write("user_pref(%s, %s);\n" % (json.dumps(key), json.dumps(value)))
        self.log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen([path, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.folder], stdout=self.log, stderr=self.log)
        self.number, self.buffer, self.sandbox = 0, b"", None
        for _ in range(300):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except OSError:
                time.sleep(0.2)
        self.read()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.chrome("window.asked = []; Services.obs.addObserver(channel => channel.QueryInterface(Ci.nsIChannel).loadInfo.loadingPrincipal?.schemeIs('file') &&"
                    " window.asked.push(channel.URI.spec), 'http-on-modify-request')")

    def read(self):
        while b":" not in self.buffer:
            self.buffer += self.socket.recv(1 << 16)
        size, _, rest = self.buffer.partition(b":")
        while len(rest) < int(size):
            rest += self.socket.recv(1 << 16)
        self.buffer = rest[int(size):]
        return json.loads(rest[:int(size)])

    def call(self, method, **params):
        self.number += 1
        data = json.dumps([0, self.number, method, params]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        answer = self.read()
        if answer[2]:
            raise RuntimeError("%s: %s" % (method, answer[2].get("message")))
        return answer[3]

    def chrome(self, words, *args):
        """Of the browser's own window, in which `browser` is the element that shows the page."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteScript", script="const browser = gBrowser.selectedBrowser; " + words, args=list(args), sandbox=None)["value"]
        finally:
            self.call("Marionette:SetContext", value="content")

    def open(self, url, script=True):
        self.sandbox = None if script else "system"
        self.chrome("browser.browsingContext.allowJavascript = arguments[0]", script)
        self.call("WebDriver:Navigate", url=url)

    def size(self, width):
        self.chrome("browser.style.width = browser.style.maxWidth = arguments[0] + 'px'; browser.style.minWidth = 0; browser.parentNode.style.alignItems = 'start'", width)
        for _ in range(100):
            if self.js("innerWidth") == width:
                break
            time.sleep(0.02)
        time.sleep(0.1)

    def media(self, kind="", colours="none"):
        self.chrome("browser.browsingContext.mediumOverride = arguments[0]; browser.browsingContext.prefersColorSchemeOverride = arguments[1]", kind, colours)
        time.sleep(0.1)

    def js(self, words):
        return self.call("WebDriver:ExecuteScript", script="return " + words, args=[], sandbox=self.sandbox)["value"]

    def requests(self):
        """What was asked of a network since the last time."""
        return self.chrome("return window.asked.splice(0)")

    def messages(self):
        """What pages said on the console since the last time; RSLoader is a part of the browser."""
        self.log.seek(0)
        said = [line.strip() for line in self.log if re.match(r"console\.|JavaScript (error|warning): file:|Content-Security", line) and "RSLoader" not in line]
        self.log.seek(0)
        self.log.truncate()
        return said

    def close(self):
        try:
            self.call("Marionette:Quit", flags=["eForceQuit"])
        except (OSError, RuntimeError, ValueError):
            pass
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def find_axe():
    """The script of axe-core, which Debian has not; None: not here."""
    places = [os.environ.get("AXE_CORE", "")] + [p + "/axe-core/axe.min.js" for p in ("/usr/share/nodejs", "/usr/share/javascript", "/usr/lib/node_modules", "/usr/local/lib/node_modules")]
    for place in places:
        if os.path.isfile(place):
            with open(place, encoding="utf-8") as file:
                return file.read()
    return None


def check_axe(name, page, axe):
    page.js(axe + ";0")
    bad = []
    for width, colours in ((1400, "light"), (1400, "dark"), (420, "light")):
        page.size(width)
        page.media(prefers_color_scheme=colours)
        page.frame()
        found = page.js("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 120)).join(' | ')))")
        bad += [(width, colours, f) for f in found]
    page.media()
    page.size(1400)
    ok(not bad, "%s: axe-core finds nothing" % name, *bad)


def check_chromium(browser, name, path, pictures, axe):
    page = browser.open("file://" + path, width=1400)
    rules.check_words(name, page)
    outside, over = [], []
    for width in WIDTHS:
        page.size(width)
        page.js("new Promise(r => setTimeout(r, 60))")
        page.frame()
        found = faults(page.js, width)
        outside += [(width, f) for f in found[0]]
        over += [(width, f) for f in found[1]]
        if pictures:
            page.picture(os.path.join(pictures, "%s-%d.png" % (name, width)))
    page.size(1400)
    page.frame()
    ok(not outside, "%s: everything is within the window" % name, *outside)
    ok(not over, "%s: no label lies over another" % name, *over)
    ok(not page.js(WORDS), "%s: no number that is none" % name, page.js(WORDS))
    needs = page.js(NEEDS) + [("text", x) for x in page.js(CONTRAST)] + [("plot", x) for x in page.js(INK)]
    page.media(prefers_color_scheme="dark")
    page.frame()
    needs += [("dark text", x) for x in page.js(CONTRAST)] + [("dark plot", x) for x in page.js(INK)]
    page.media()
    ok(not needs, "%s: names, roles, headings, contrast" % name, *needs)
    if axe:
        check_axe(name, page, axe)
    # A plot that was drawn for a window of any width goes to paper of one.
    bad, sheets = [], []
    for width in WIDTHS:
        page.media()
        page.size(width)
        page.frame()
        sheets.append(len(re.findall(rb"/Type\s*/Page\b", page.pdf(os.devnull))))
    page.media("print")
    page.size(PAPER)
    page.frame()
    for f in sum(faults(page.js, PAPER), []):
        bad.append(("print", f))
    page.media()
    ok(not bad and 1 <= min(sheets) <= max(sheets) <= SHEETS_MOST, "%s: prints (%s pages of paper)" % (name, sheets), *bad)
    ok(not page.events, "%s: no request, message or exception" % name, *page.events[:3])
    page.close()
    page = browser.open("file://" + path, width=1400, script=False)
    bad = []
    for width in WIDTHS:
        page.size(width)
        wide = page.call("Page.getLayoutMetrics")["cssContentSize"]["width"]
        if wide > width:
            bad.append((width, wide))
        if pictures:
            page.picture(os.path.join(pictures, "%s-%d-none.png" % (name, width)))
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    cells = page.call("DOM.querySelectorAll", nodeId=root, selector="td")["nodeIds"]
    ok(not bad and len(cells) > 3 and not page.events, "%s: without script as wide as the window, with its tables" % name, bad, len(cells), page.events[:2])
    page.close()


def check_firefox(firefox, name, path):
    firefox.messages()
    firefox.open("file://" + path)
    bad = []
    for width in WIDTHS:
        firefox.size(width)
        bad += [(width, f) for f in sum(faults(firefox.js, width), [])]
    firefox.size(1400)
    bad += [x for x in [firefox.js(WORDS)] if x] + firefox.js(NEEDS)
    for colours in ("light", "dark"):
        firefox.media(colours=colours)
        bad += [(colours, x) for x in firefox.js(CONTRAST) + firefox.js(INK)]
    plots = firefox.js("document.querySelectorAll('svg').length")
    firefox.media("print")
    firefox.size(PAPER)
    bad += [("print", f) for f in sum(faults(firefox.js, PAPER), [])]
    firefox.media()
    bad += firefox.messages() + firefox.requests()
    ok(not bad and (plots > 1 or "application/json" not in open(path, encoding="utf-8").read()), "%s: Firefox draws and prints it as well" % name, plots, *bad[:5])
    firefox.open("file://" + path, script=False)
    bad = []
    for width in WIDTHS:
        firefox.size(width)
        bad += [(width, f) for f in sum(faults(firefox.js, width), [])]
    cells = firefox.js("document.querySelectorAll('td').length")
    firefox.media("print")
    firefox.size(PAPER)
    bad += [("print", f) for f in sum(faults(firefox.js, PAPER), [])]
    firefox.media()
    bad += firefox.messages() + firefox.requests()
    ok(not bad and cells > 3, "%s: Firefox without script has its tables in the window" % name, cells, *bad[:5])


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    stepstat = os.path.abspath([a for a in sys.argv[1:] if not a.startswith("--")][0])
    if not find_browser():
        print("1..0 # SKIP pages_many.py: no Chromium, so no page was opened")
        return 0
    only = options.get("only", "").split(",") if options.get("only") else [name for name, _ in PAGES]
    browser = Browser(find_browser())
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    firefox = Firefox(path) if path else None
    axe = find_axe()
    os.chdir(TOP)
    try:
        with tempfile.TemporaryDirectory(prefix="stepstat-pages-") as folder:
            for name, words in PAGES:
                if name not in only:
                    continue
                file = os.path.join(folder, name + ".html")
                done = subprocess.run([stepstat, *words, "-o", file, "--quiet"], capture_output=True, text=True)
                if not os.path.exists(file):
                    ok(False, "%s: a page is made" % name, done.returncode, done.stderr)
                    continue
                check_chromium(browser, name, file, options.get("pictures"), axe)
                if firefox:
                    check_firefox(firefox, name, file)
    finally:
        browser.close()
        if firefox:
            firefox.close()
    if not firefox:
        ok(True, "pages in Firefox # SKIP no Firefox here")
    if not axe:
        ok(True, "axe-core # SKIP not here (AXE_CORE=FILE), so names, roles, headings and contrast alone were looked at")
    print("1..%d" % rules.count)
    return 1 if rules.failed else 0


if __name__ == "__main__":
    sys.exit(main())
