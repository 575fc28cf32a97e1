"""Pages of the program in a headless Chromium without network: what a reader does, and what nobody may do.

usage: pages.py STEPSTAT [--pictures=FOLDER] [--large=MAKE_RUNS]

Reports of the data in tests/data and examples, of one with hostile names, and (--large) of 5 000 ops, 200 steps and 10 runs.
TAP on standard output; all is skipped where there is no Chromium.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from devtools import Browser, find_browser

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
WIDTHS = [360, 420, 760, 1000, 1280, 1920]
HOSTILE = ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "'); alert(1); ('", "${alert(1)}",
           "<!-- --> <b>bold</b>", "javascript:alert(1)", "]]>", "&lt;i&gt;&amp;", "a\u2028b\u2029c", "\u202egnp.exe", "\\u003cscript>", "=SUM(A1)",
           "url(http://example.com/x)", "__proto__", "constructor", "x" * 900, "a/</style><style>*{display:none}</style>/b", "'$(touch x)`touch y`"]
SERIES = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)


class Tap:
    def __init__(self):
        self.number = self.failed = 0

    def ok(self, good, what, *why):
        self.number += 1
        if not good:
            self.failed += 1
            for line in why:
                print("# %s" % str(line)[:600])
        print("%sok %d - %s" % ("" if good else "not ", self.number, what), flush=True)


def write(stepstat, inputs, path, *options):
    done = subprocess.run([stepstat, "report", *inputs, "-o", path, *options], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (path, done.stderr))
    return path


def data_of(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(SERIES.search(file.read())[1])


def hostile_table(path, names):
    """Observations of ops with these names over 6 steps, the last with a value that stands out."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "step", "op", "type", "time_us"])
        for step in range(1, 7):
            for i, name in enumerate(names):
                out.writerow(["run 1", step, name, name[:20] or "x", 1000 * (i + 1) + 7 * step * (i + 3) % 90 + (9000 if step == 6 and i == 3 else 0)])


class Case:
    """One page, opened; failures are collected and said in one line each."""

    def __init__(self, tap, browser, name, path, **how):
        self.tap, self.name, self.path = tap, name, path
        self.page = browser.open("file://" + path, **how)
        self.js, self.data = self.page.js, data_of(path)

    def ok(self, good, what, *why):
        self.tap.ok(good, "%s: %s" % (self.name, what), *why)

    def quiet(self):
        self.ok(not self.page.events, "no request, message, exception or report against the policy", *self.page.events[:5])


# ---- what each page must hold to

def check_widths(case):
    bad = []
    for width in WIDTHS:
        case.page.size(width)
        case.page.frame()
        found = case.js("document.documentElement.scrollWidth")
        if found != width:
            wide = case.js("[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll,.plotbox'))"
                           ".slice(0, 3).map(e => e.tagName + '.' + e.className.baseVal + e.className + '#' + e.id)")
            bad.append("%d: %s wide, %s" % (width, found, wide))
    case.page.size(1280)
    case.page.frame()
    case.ok(not bad, "as wide as the window at " + ", ".join(map(str, WIDTHS)), *bad)


def check_columns(case):
    """Shares and jitter shares of the whole table add up; sorting by each head puts its column in order."""
    js = case.js
    bad = []
    for k, label in enumerate(js("[...document.querySelectorAll('.lens thead th')].map(e => (e.querySelector('button') || e).textContent)")):
        if not js("!!document.querySelectorAll('.lens thead th')[%d].querySelector('button')" % k):
            continue
        for _ in range(2):
            js("document.querySelectorAll('.lens thead th')[%d].querySelector('button').click()" % k)
            keys = js("(() => { const g = D.rows[S.kind]; return lens.rows.map(i => S.sort === 'op' ? g.op[i] : g[S.sort][i]); })()")
            keys = [x for x in keys if x is not None]
            down = js("S.dir") < 0
            pairs = list(zip(keys, keys[1:]))
            # Text goes by code units, as in the browser.
            order = [(a.encode("utf-16-be"), b.encode("utf-16-be")) for a, b in pairs] if keys and isinstance(keys[0], str) else pairs
            if any(a < b if down else a > b for a, b in order):
                bad.append("column %s is not in order" % label)
    js("Object.assign(S, {sort: 'mean', dir: -1}); drawTable()")
    case.ok(not bad, "heads sort, both ways", *bad)
    rows = case.data["rows"]["name"]
    jitter = [x for x in (rows["jitter"] if isinstance(rows["jitter"], list) else []) if x is not None]
    share = rows["share"] if isinstance(rows["share"], list) else []
    sums = [sum(share), sum(jitter) + (case.data.get("notin") or 0)]
    adds = abs(sums[0] - 100) < 0.1 and (not jitter or abs(sums[1] - 100) < 0.1)
    case.ok(adds or not share or case.data.get("overlap"), "share and jitter add up to 100 %, where rows do not overlap", sums)


def check_filter(case):
    js, page = case.js, case.page
    ops = case.data["rows"]["name"]["op"]
    word = re.sub(r"\W+", " ", ops[0]).split()[-1][:12].lower()
    page.key("Escape", "/")
    case.ok(js("document.activeElement.id") == "filter", "/ goes to the filter")
    page.type(word)
    page.frame()
    types = case.data.get("type") or []
    groups = case.data.get("class") or []
    rows = case.data["rows"]["name"]

    def text(i):
        def of(names, index):
            index = index[i] if isinstance(index, list) else index
            return names[index] if names else ""
        return "\n".join([ops[i], of(types, rows["type"]), of(groups, rows["class"])]).lower()
    want = sum(word in text(i) for i in range(len(ops)))
    case.ok(js("view.length") == want, "the filter keeps what has the word", word, js("view.length"), want)
    if 0 < want < len(ops):
        together = "together" in js("document.querySelector('#opstable').textContent")
        case.ok(together != case.data.get("overlap", False), "filtered rows have a sum of their own, where they do not overlap")
    js("document.querySelector('#filter').value = ''; S.text = '(';S.regex = true; drawTable()")
    case.ok(js("document.querySelector('#filter').getAttribute('aria-invalid')") == "true", "a bad expression is said to be one")
    js("S.text = '^.'; drawTable()")
    case.ok(js("view.length") == len(ops), "a regular expression that all names match keeps all", js("view.length"))
    js("S.text = 'no such name at all'; S.regex = false; drawTable()")
    case.ok(js("!!document.querySelector('#opstable .link')"), "no match says so and offers to clear it")
    page.click("#opstable .link")
    case.ok(js("S.text === '' && view.length === D.rows.name.op.length"), "the offer clears the filter")


def check_groups(case):
    js, bad = case.js, []
    for kind in js("KINDS"):
        js("(() => { S.kind = %s; drawTools(); drawTable(); })()" % json.dumps(kind))
        got, want = js("lens.rows.length"), len(case.data["rows"][kind]["op"])
        if not (0 < got <= want):
            bad.append("%s: %s rows of %s" % (kind, got, want))
        if kind in ("type", "class") and not js("(() => { const g = D.rows[S.kind]; return g.op.every((x, i) => { const q = series(S.kind, i); if (!q) return true;"
                                              "const v = flat.map((f, t) => f.left ? null : at(q, t)).filter(x => x != null); return many || Math.abs(sum(v) / v.length - g.mean[i]) <= g.mean[i] * 1e-4 + D.scale; }); })()"):
            bad.append("%s: series that the page adds up do not give the program's means" % kind)
    js("S.kind = 'name'; drawTools(); drawTable()")
    case.ok(not bad, "rows by " + ", ".join(js("KINDS")) + "; added up they have the program's means", *bad)
    bad = []
    for unit in js("[...document.querySelectorAll('#unit option')].map(o => o.value)"):
        js("(() => { const u = document.querySelector('#unit'); u.value = %s; u.dispatchEvent(new Event('change')); })()" % json.dumps(unit))
        if re.search(r"NaN|undefined|Infinity", js("document.querySelector('#opstable').textContent")):
            bad.append(unit)
    js("S.unit = 'auto'; document.querySelector('#unit').value = 'auto'; drawAll()")
    case.ok(not bad, "every unit", *bad)


def check_steps(case):
    js, page = case.js, case.page
    page.key("Escape", "Escape")
    page.hover("#stepsplot svg", (0.5, 0.6))
    step = js("S.hover")
    case.ok(step is not None and ("step %d" % js("flat[S.hover].n")) in js("document.querySelector('#legend').textContent"), "a hovered step is in the legend", step)
    case.ok(js("[...document.querySelectorAll('#opstable circle.p')].some(c => c.style.display !== 'none')"), "its dots are ringed in the rows")
    linked = js("[...document.querySelectorAll('#excess,.parts,#rankmap')].map(b => b.querySelectorAll('[data-t].hand').length)")
    case.ok(all(linked), "it is marked in the other plots", linked)
    page.click("#stepsplot svg", (0.5, 0.6))
    page.mouse("mouseMoved", 2, 2)
    page.frame()
    case.ok(js("S.pin") == step and js("hand()") == step, "a click keeps it", js("[S.pin, S.hover]"))
    page.key("Escape")
    case.ok(js("S.pin") is None and not js("document.querySelectorAll('main .hand').length"), "Esc lets go")
    js("document.querySelector('#stepsplot').focus()")
    page.key("ArrowRight", "ArrowRight")
    case.ok(js("hand()") == 1, "arrow keys read step after step", js("hand()"))
    page.key("Enter")
    case.ok(js("S.pin") == 1, "Enter keeps the step")
    page.key("Escape")
    for box in js("[...document.querySelectorAll('#excess,.parts')].map((b, i) => b.id ? '#' + b.id : '.parts')")[:2]:
        page.hover(box + " [data-t]:not(.o)")
        case.ok(js("S.hover") is not None and js("document.querySelector('%s [data-t].hand') !== null" % box), "a step hovered in %s is in hand" % box)
    if js("!!document.querySelector('.parts')"):
        text = js("document.querySelector('.parts').previousElementSibling.textContent")
        case.ok("%" in text and "ms" in text or "µs" in text, "the parts of the step stand beside their plot", text)
    page.mouse("mouseMoved", 2, 2)


def check_rows(case):
    js, page = case.js, case.page
    page.key("Escape", "Escape")
    page.click(".lens tbody tr[data-i]", (0.05, 0.5))
    name = js("D.rows.name.op[S.sel.i]")
    case.ok(js("!document.querySelector('#dock').hidden && document.querySelector('#dock h3').textContent") == name, "a click on a row opens its numbers", name)
    case.ok(js("decodeURIComponent(location.hash)") == "#op=" + name, "the address has the row", js("location.hash"))
    first = js("S.sel.i")
    js("document.querySelector('.lens tbody tr[data-i]').focus()")
    if js("lens.rows.length") > 1:
        page.key("ArrowDown")
        case.ok(js("S.sel.i") != first and js("document.activeElement.dataset.i") == str(js("S.sel.i")), "arrow down goes to the next row", js("S.sel"))
    page.key("Escape")
    case.ok(js("document.querySelector('#dock').hidden") and js("document.activeElement.tagName") == "TR", "Esc closes, the focus is on the row")
    page.key("Enter")
    case.ok(js("!document.querySelector('#dock').hidden"), "Enter opens")
    page.key("Escape")


def check_ranks(case):
    js, page = case.js, case.page
    ranks = case.data["ranks"]
    page.hover("#rankmap [data-r]", (0.5, 0.5))
    text = js("document.querySelector('#rankread').textContent")
    case.ok(js("S.rank") is not None and "slowest in" in text, "a hovered rank is read", text)
    page.click("#rankmap [data-r]", (0.5, 0.5))
    kept = js("S.rankpin")
    page.mouse("mouseMoved", 2, 2)
    page.frame()
    case.ok(kept is not None and js("S.rank") == kept, "a click keeps the rank")
    page.key("Escape")
    js("document.querySelector('#ranksdata').open = true")
    heads = js("[...document.querySelectorAll('#ranksdata th')].map(e => e.textContent)")
    js("[...document.querySelectorAll('#ranksdata th button')].pop().click()")
    values = js("[...document.querySelectorAll('#ranksdata tbody tr')].map(r => parseFloat(r.lastElementChild.textContent.replace('\u2212', '-')))")
    case.ok(values == sorted(values, reverse=True), "heads of the table of ranks sort", heads[-1], values)
    case.ok(len(values) == len(ranks["name"]), "each rank has a row", len(values))


def check_dots(case):
    js, page = case.js, case.page
    page.hover("#scatterplot circle[data-i]")
    case.ok(js("S.op") is not None and js("D.rows.name.op[S.op]") in js("document.querySelector('#dotread').textContent"), "a hovered dot is read")
    page.click("#scatterplot circle[data-i]")
    case.ok(js("S.sel && S.sel.kind === 'name' && !document.querySelector('#dock').hidden"), "a click on a dot opens its row")
    page.key("Escape")


def check_scopes(case):
    js, page = case.js, case.page
    page.hover("#icicle g[role=button]", (0.1, 0.5))
    case.ok("per step" in js("document.querySelector('#icread').textContent"), "a hovered scope is read", js("document.querySelector('#icread').textContent"), js("scrollY"), js("JSON.stringify(document.querySelector('#icicle').getBoundingClientRect())"), js("document.querySelector('#dock').hidden"))
    js("[...document.querySelectorAll('#icicle g[role=button]')][1].dispatchEvent(new MouseEvent('click'))")
    case.ok(js("zoom !== null && document.querySelector('#crumbs').textContent.length > 0"), "a click enters a scope")
    js("document.querySelector('#icicle g[tabindex=\"0\"]').focus()")
    page.key("Enter")
    case.ok(js("zoom === null || !!zoom"), "Enter leaves it")
    js("zoom = null; drawScopes()")


def check_keyboard(case):
    """Every control is reached by Tab, and the focus is seen."""
    js, page = case.js, case.page
    js("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); scrollTo({top: 0, behavior: 'instant'})")
    seen, bad = set(), []
    for _ in range(400):
        page.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        who = js("(() => { const e = document.activeElement; if (!e || e === document.body) return null; e.dataset.seen = 1; const s = getComputedStyle(e), r = e.querySelector('rect');"
                 "return [e.tagName + '#' + e.id + '.' + (e.className.baseVal ?? e.className), s.outlineStyle !== 'none' || r && getComputedStyle(r).strokeWidth !== '1px']; })()")
        if who is None:
            break
        if not who[1]:
            bad.append(who[0] + " shows no focus")
        seen.add(who[0])
    missed = js("[...document.querySelectorAll('a[href],button,select,input,summary,[tabindex=\"0\"]')].filter(e => e.checkVisibility() && !e.closest('[hidden]') && !e.dataset.seen).map(e => e.tagName + '#' + e.id + ' ' + e.textContent.slice(0, 20)).slice(0, 5)")
    case.ok(not bad and not missed, "Tab reaches every control, with a focus that is seen", *(bad[:5] + missed))


CONTRAST = """(() => {
  const lum = c => { const v = c.map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; }); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const rgb = s => (s.match(/[\\d.]+/g) || []).map(Number), bad = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg,script,style,[hidden],.vh') || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility()) continue;
    let b = e, back = [255, 255, 255, 0];
    while (b && (back = rgb(getComputedStyle(b).backgroundColor)).length === 4 && back[3] === 0) b = b.parentElement;
    if (!b) back = rgb(getComputedStyle(document.body).backgroundColor);
    const f = rgb(getComputedStyle(e).color), a = lum(f.slice(0, 3)), g = lum(back.slice(0, 3)), ratio = (Math.max(a, g) + .05) / (Math.min(a, g) + .05);
    if (ratio < 4.5 && !e.disabled) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' ' + e.textContent.slice(0, 20));
  }
  return [...bad].slice(0, 6);
})()"""


def check_page(tap, browser, name, path):
    case = Case(tap, browser, name, path)
    check_widths(case)
    several = case.js("!one")
    check_columns(case)
    check_filter(case)
    check_groups(case)
    if several:
        check_steps(case)
    check_rows(case)
    if "ranks" in case.data:
        check_ranks(case)
    if case.js("!!document.querySelector('#scatterplot circle[data-i]')"):
        check_dots(case)
    if case.js("!!document.querySelector('#icicle')"):
        check_scopes(case)
    case.js("drawAll()")
    check_keyboard(case)
    bad = case.js(CONTRAST)
    case.page.media(prefers_color_scheme="dark")
    case.page.frame()
    dark = case.js(CONTRAST)
    case.ok(not bad and not dark, "contrast of text is 4.5 or more, light and dark", *(bad + dark))
    case.page.media(prefers_reduced_motion="reduce")
    case.ok(case.js("getComputedStyle(document.querySelector('#dock')).animationName === 'none' && getComputedStyle(document.documentElement).scrollBehavior === 'auto'"),
            "reduced motion: nothing moves")
    case.page.media()
    pdf = case.page.pdf(os.devnull)
    case.ok(1 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 12, "printed on 1 to 12 pages", len(re.findall(rb"/Type\s*/Page\b", pdf)))
    case.quiet()
    case.page.close()


def check_link(tap, browser, name, path):
    """#op=NAME opens the row of that name, also one that is not among the largest."""
    ops = data_of(path)["rows"]["name"]["op"]
    for op in (ops[0], ops[-1]):
        page = browser.open("file://" + path + "#op=" + "".join("%%%02X" % b for b in op.encode("utf-8", "surrogatepass")))
        tap.ok(page.js("!document.querySelector('#dock').hidden && document.querySelector('#dock h3').textContent") == op, "%s: #op= opens %s" % (name, ascii(op)[:40]), page.js("location.hash"))
        page.close()


def check_without_script(tap, browser, name, path):
    page = browser.open("file://" + path, script=False)
    count = lambda selector: len(page.call("DOM.querySelectorAll", nodeId=page.call("DOM.getDocument")["root"]["nodeId"], selector=selector)["nodeIds"])
    found = {what: count(what) for what in ("h1", ".figures dd", "#opstable tbody tr", "#stepsplot svg", "#how dt")}
    tap.ok(all(found.values()), "%s: without script sentences, numbers, table and plots are there" % name, found)
    data = data_of(path)
    for key, what in (("parts", ".parts svg"), ("ranks", "#rankmap svg")):
        if data.get(key):
            tap.ok(count(what) > 0, "%s: without script %s is there" % (name, what))
    boxes = page.call("DOMSnapshot.captureSnapshot", computedStyles=["display"])["documents"][0]
    tap.ok(boxes["scrollOffsetX"] == 0 and page.call("Page.getLayoutMetrics")["cssContentSize"]["width"] == 1280, "%s: without script as wide as the window" % name)
    tap.ok(not page.events, "%s: without script no message" % name, *page.events[:3])
    page.close()


def check_commands(tap, page, folder, stepstat):
    """The commands of the dock in a shell: each gives the row it stands beside, and nothing else happens."""
    bad, names = [], page.js("D.rows.name.op")
    here = os.path.join(folder, "shell")
    os.mkdir(here)
    path = dict(os.environ, PATH=os.path.dirname(stepstat) + os.pathsep + os.environ["PATH"])
    for i, name in enumerate(names):
        page.js("select('name', %d, true)" % i)
        row, steps = page.js("[...document.querySelectorAll('#dock .cmd pre')].map(e => e.textContent)")
        done = subprocess.run(["sh", "-c", row + " -o rows.csv"], cwd=here, env=path, capture_output=True, text=True)
        got = []
        if done.returncode == 0:
            with open(os.path.join(here, "rows.csv"), encoding="utf-8") as file:
                got = [r["op"] for r in csv.DictReader(file)]
        if got != [name]:
            bad.append("%s: %s %s" % (row[-120:], got, done.stderr[:200]))
        done = subprocess.run(["sh", "-c", steps], cwd=here, env=path, capture_output=True, text=True)
        if done.returncode:
            bad.append("%s: %s" % (steps[-120:], done.stderr[:200]))
    tap.ok(not bad, "hostile names: the commands of the dock give their rows", *bad[:6])
    tap.ok(sorted(os.listdir(here)) == ["rows.csv"], "hostile names: nothing else ran", os.listdir(here))


def check_hostile(tap, browser, folder, stepstat):
    counts = []
    for kind, names in (("plain", [re.sub(r"[^\w/:]", "x", name) for name in HOSTILE]), ("hostile", HOSTILE)):
        table = os.path.join(folder, kind + ".csv")
        hostile_table(table, names)
        path = write(stepstat, [table], os.path.join(folder, kind + ".html"), "--warmup=none")
        page = browser.open("file://" + path)
        for i in range(len(names)):
            page.js("select('name', %d, true)" % i)
        page.js("hoverStep(5); S.text = 'x'; drawTable(); S.text = ''; drawTable()")
        counts.append(page.js("['script', 'img', 'iframe', 'style', 'svg', 'b', 'i', 'section', 'main *:not(span):not(path):not(text):not(circle):not(tspan)', 'a', 'link', 'object'].map(q => document.querySelectorAll(q).length)"))
        tap.ok(not page.events, "%s names: no request, message or exception" % kind, *page.events[:3])
        if kind == "hostile":
            check_commands(tap, page, folder, stepstat)
            op = page.js("D.rows.name.op.findIndex(x => x === %s)" % json.dumps(names[3]))
            tap.ok(page.js("document.querySelectorAll('tr[data-i=\"%d\"] .o').length" % op) == 1, "hostile names: the value that stands out is marked in its row", op)
            got = page.js("D.rows.name.op.length")
            tap.ok(got == len(names), "hostile names: each is an op", got, len(names))
        page.close()
        with open(path, encoding="utf-8") as file:
            text = file.read()
        tap.ok("<" not in SERIES.search(text)[1], "%s names: no < in the data" % kind)
    tap.ok(counts[0] == counts[1],
           "hostile names change no count of elements", *counts)


def check_large(tap, browser, folder, stepstat, make_runs):
    made = os.path.join(folder, "large")
    os.mkdir(made)
    subprocess.run([make_runs, "--runs", "10", "--ops", "5000", "--steps", "200", made], check=True, stdout=subprocess.DEVNULL)
    base = [os.path.join(made, name) for name in sorted(os.listdir(made)) if "base" in name] or [made]
    path = write(stepstat, base, os.path.join(folder, "large.html"))
    size = os.path.getsize(path)
    tap.ok(size < 5e6, "large: below 5 MB", size)
    page = browser.open("file://" + path)
    times = []
    for _ in range(3):
        page.loaded = False
        page.call("Page.reload")
        while not page.loaded:
            browser.read(1)
        page.frame()
        times.append(page.js("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    print("# large: %d ops, %d steps; %.1f MB, first paint after %s ms" % (page.js("D.rows.name.op.length"), page.js("flat.length"), size / 1e6, [round(x) for x in times]))
    tap.ok(min(times) < 1000, "large: first paint in less than 1 s", times)
    for what in ("drawTable()", "(S.sort = 'cv', drawTable())", "(S.text = 'op 1', drawTable(), S.text = '', drawTable())", "(S.all = true, drawTable())", "drawSteps()", "hoverStep(77)", "select('name', 5, true)"):
        took = page.js("(() => { const t = performance.now(); %s; return performance.now() - t; })()" % what)
        print("# large: %s takes %.0f ms" % (what, took))
    tap.ok(page.js("document.querySelectorAll('*').length") < 9000, "large: rows outside of the window are not in the document", page.js("document.querySelectorAll('*').length"))
    tap.ok(not page.events, "large: no message", *page.events[:3])
    page.close()


def pictures(browser, folder, name, path):
    for tag, how in (("light", {}), ("narrow", {"width": 420}), ("dark", {"media": {"prefers-color-scheme": "dark"}})):
        page = browser.open("file://" + path, **how)
        page.picture(os.path.join(folder, "%s-%s.png" % (name, tag)))
        if tag == "light":
            page.pdf(os.path.join(folder, name + ".pdf"))
        page.close()


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    stepstat = os.path.abspath([a for a in sys.argv[1:] if not a.startswith("--")][0])
    path = find_browser()
    if not path:
        print("1..0 # SKIP pages.py: no Chromium, so no page was opened")
        return 0
    tap, browser = Tap(), Browser(path)
    os.chdir(TOP)
    pages = [("dump", ["examples/resnet_tower"], []), ("ranks", ["tests/data/ranks/gloo"], []), ("runs", ["examples/ci/base"], []),
             ("gpu", ["tests/data/kineto/two_steps_v100.json.gz"], []), ("one step", ["tests/data/golden/names"], []),
             ("bytes", ["examples/resnet_tower"], ["--measures=requested"]),
             ("counts", ["tests/data/golden/train"], ["--measures=occurrence"]), ("overlap", ["tests/data/golden/train"], ["--value=total"])]
    only = options.get("only", "").split(",") if options.get("only") else None
    try:
        with tempfile.TemporaryDirectory(prefix="stepstat-pages-") as folder:
            for name, inputs, more in pages:
                if only and name not in only:
                    continue
                file = write(stepstat, inputs, os.path.join(folder, name.replace(" ", "_") + ".html"), *more)
                check_page(tap, browser, name, file)
                check_link(tap, browser, name, file)
                check_without_script(tap, browser, name, file)
                if "pictures" in options:
                    pictures(browser, options["pictures"], name.replace(" ", "_"), file)
            if not only or "hostile" in only:
                check_hostile(tap, browser, folder, stepstat)
            if "large" in options:
                check_large(tap, browser, folder, stepstat, os.path.abspath(options["large"]))
    finally:
        browser.close()
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
