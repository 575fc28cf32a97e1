"""Pages of reports in a headless Chromium without network: what a reader sees and does, and what nobody may do.

usage: pages.py STEPSTAT [--pictures=FOLDER] [--large=MAKE_RUNS]

Reports of the data in tests/data and examples, of one with hostile names, and (--large) of 5 000 ops, 200 steps and 10 runs. Numbers of
tables, of C and of the script, are held against the data by the rules of pages_compare.py.
TAP on standard output; all is skipped where there is no Chromium.
"""
import csv
import datetime
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import pages_compare as rules
from devtools import Browser, find_browser
from pages_compare import HOSTILE, check_layout, check_words, fixed, near, ok

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
FIRST_PLOT, FIRST_ROW = 250, 900  # px from the top, at 1 400 px
SHOWN = re.compile("[\u2028\u202e]")  # characters that nobody sees: their bytes are shown
PAGES_MOST = 12  # of paper
STEPSTAT = ""


def write(stepstat, inputs, path, *options):
    done = subprocess.run([stepstat, "report", *inputs, "-o", path, *options], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (path, done.stderr))
    return path


def data_of(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(DATA.search(file.read())[1], object_hook=rules.unfold)


def hostile_table(path, names):
    """Observations of ops with these names over 6 steps, the last with a value that stands out."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "step", "op", "type", "time_us"])
        for step in range(1, 7):
            for i, name in enumerate(names):
                out.writerow(["run 1", step, name, name[:20] or "x", 1000 * (i + 1) + 7 * step * (i + 3) % 90 + (9000 if step == 6 and i == 3 else 0)])


class Case:
    """One page, opened."""

    def __init__(self, browser, name, path, **how):
        self.name, self.path = name, path
        self.page = browser.open("file://" + path + how.pop("hash", ""), width=1400, **how)
        self.js, self.data = self.page.js, data_of(path)
        self.ops = dict(self.data["series"], name=self.data["series"]["op"])
        self.count = self.ops["rows"]
        runs = self.data["runs"]
        self.counts = [kept + left for kept, left in zip(runs["steps"], runs["left_out"])]
        levels = self.data["levels"]
        self.steps = dict(levels, number=levels["step"], left=[kept != "yes" for kept in levels["kept"]])
        stacks, self.stacks = self.data["stacks"], []
        for i, split in enumerate(stacks["id"]):
            if not i or split != stacks["id"][i - 1]:
                self.stacks.append({"id": split, "label": stacks["label"][i], "rows": []})
            self.stacks[-1]["rows"].append({key: stacks[key][i] for key in ("name", "kind", "mean", "value", "level")})

    def ok(self, good, what, *why):
        ok(good, "%s: %s" % (self.name, what), *why)

    def go(self, words):
        self.js("location.hash = %s" % json.dumps("#" + words))
        self.page.frame()

    def rows(self):
        """Indexes of the rows that are seen, in their order."""
        return [int(i) for i in self.js("[...document.querySelectorAll('#ops-table tbody tr[data-i]')].filter(r => !r.hidden).map(r => r.dataset.i)")]


# ---- numbers

def percent(value):
    return "" if value is None else fixed(value, 0 if abs(value) >= 10 else 1)


def cells_of(case, i):
    """Key -> text of the numbers of a row, by its data."""
    ops, row = case.ops, {key: values[i] for key, values in case.ops.items() if key != "rows"}
    unit = case.data["unit"]
    known = [v for v in ops["mean"] if v is not None]
    made = {"share": "" if row["share"] is None else fixed(row["share"], 1), "cv": percent(row["cv"]) + (row["mark"] or ""),
            "jitter": "" if row["jitter"] is None else fixed(row["jitter"], 1), "cvrun": percent(row["cvrun"]), "ran": "%d/%d" % (row["ran"], row["steps"])}
    half = None if row["low"] is None or not row["mean"] else 50 * (row["high"] - row["low"]) / row["mean"]
    made["half"] = "" if half is None else "± %s %%" % percent(half)
    if unit in rules.SCALES:
        made["mean"] = rules.column(known, row["mean"], unit, False)
    else:
        largest = max(map(abs, known), default=0)
        made["mean"] = fixed(row["mean"], 0 if all(v == int(v) for v in known) else rules.places(largest))
    if case.data.get("second"):
        made["second"] = rules.column(ops["second"], row["second"], "B", False)
    return made


def check_numbers(case):
    case.go("all=1")
    drawn = {int(i): cells for i, cells in case.js("[...document.querySelectorAll('#ops-table tbody tr[data-i]')].map(r => [r.dataset.i,"
             "Object.fromEntries([...r.querySelectorAll('td[data-key]')].map(c => [c.dataset.key, c.textContent]))])")}
    case.ok(len(drawn) == case.count, "the script has all rows", len(drawn), case.count)
    off = [(i, k, v, cells_of(case, i)[k]) for i, cells in drawn.items() for k, v in cells.items() if k in cells_of(case, i) and not near(v, cells_of(case, i)[k])]
    case.ok(not off, "each cell is its number", len(off), *off[:4])
    share, jitter = [sum(v for v in case.ops[k] if v is not None) for k in ("share", "jitter")]
    adds = abs(share - 100) < 0.1 and (not any(case.ops["jitter"]) or abs(jitter + sum(case.data["step"]["jitter"][2:]) - 100) < 0.1)
    case.ok(adds or case.data.get("overlap") or not any(case.ops["share"]), "share and jitter add up to 100 %, where rows do not overlap", share, jitter)
    case.go("all=")
    check_others(case)


def check_others(case):
    """What is seen, the line of the others, and the line of what is in no op add up to the total."""
    foot = case.js("[...document.querySelectorAll('#ops-table tfoot tr')].map(r => Object.fromEntries([...r.cells].filter(c => c.dataset.key).map(c => [c.dataset.key, c.textContent])))")
    others = [line for line in foot if line["name"].endswith(" others")]
    hidden = case.count - len(case.rows())
    if case.data.get("overlap"):
        case.ok(not others, "rows that overlap have no line of others", foot)
        return
    case.ok(len(others) == bool(hidden), "a line for the rows that are not seen", hidden, foot)
    if not others:
        return
    shown = set(case.rows())
    for key in ("share", "jitter", "calls"):
        if key in others[0]:
            want = sum(v or 0 for i, v in enumerate(case.ops[key]) if i not in shown)
            case.ok(near(others[0][key], fixed(want, 0 if key == "calls" else 1)), "%s of the others is their sum" % key, others[0][key], want)
    rest = sum(v or 0 for i, v in enumerate(case.ops["mean"]) if i in shown) + sum(v or 0 for i, v in enumerate(case.ops["mean"]) if i not in shown)
    case.ok(abs(rest - case.data["step"]["mean"][1]) <= 1e-4 * abs(rest), "rows add up to the total", rest, case.data["step"]["mean"][1])


# ---- what a reader does

def check_table(case):
    page, js = case.page, case.js
    bad = []
    for key in ("mean", "share", "cv", "name"):
        case.go("all=1&sort=-" + key)
        values = [case.ops[key][i] for i in case.rows()]
        known = [v for v in values if v is not None]
        if key != "name" and (known != sorted(known, reverse=True) or len(values) != case.count):
            bad.append(key)
    js("document.querySelector('th[data-key=mean] button').click()")
    page.frame()
    means = [case.ops["mean"][i] for i in case.rows()]
    case.ok(not bad and means == sorted(means, reverse=True), "the address and heads sort", bad, means[:5])
    case.go("q=")
    word = re.sub(r"\W+", " ", case.ops["name"][0]).split()[-1][:12].lower()
    texts = [" ".join([case.ops["name"][i], case.ops["type"][i], case.ops["class"][i] or ""]).lower() for i in range(case.count)]
    found = [i for i, text in enumerate(texts) if word in text]
    page.key("Escape", "/")
    case.ok(js("document.activeElement.type") == "search", "/ goes to the filter")
    page.type(word)
    case.ok(sorted(case.rows()) == found, "the filter keeps what has the word", word, case.rows(), found)
    said = js("document.querySelector('#ops .said').textContent")
    share = fixed(sum(case.ops["share"][i] or 0 for i in found), 1)
    case.ok("%d of %d rows" % (len(found), case.count) in said and (case.data.get("overlap") or share in said), "the sum of what is left is said", said, share)
    case.go("q=" + "%2F(%2F")
    case.ok("Not a pattern" in js("document.querySelector('#ops .said').textContent"), "a bad pattern is said")
    case.go("q=" + "%2F%5E.%2F")
    case.ok(len(case.rows()) == sum(bool(n) for n in case.ops["name"]), "a pattern that all names match keeps all", len(case.rows()))
    case.go("q=")
    for unit in js("[...document.querySelectorAll('.tools select option')].map(o => o.value)"):
        case.go("unit=" + unit)
        case.ok(not re.search("NaN|undefined|Infinity", js("document.body.innerText")), "unit %s" % (unit or "auto"))
    case.go("unit=")


def check_rows(case):
    page, js = case.page, case.js
    page.click("#ops-table tbody tr[data-i] td.name")
    name = case.ops["name"][case.rows()[0]]
    case.ok(js("document.querySelectorAll('tr.detail dt').length") > 5, "a click opens the row with its numbers")
    case.ok(js("new URLSearchParams(location.hash.slice(1)).get('row')") == name, "the address has the row", js("location.hash"))
    js("document.querySelector('#ops-table tr.open').focus()")
    if case.count > 1:
        page.key("ArrowDown")
        second = case.ops["name"][case.rows()[1]]
        case.ok(js("document.querySelector('tr.detail .said').textContent") == second, "arrow down goes to the next row", second)
    page.key("Escape")
    case.ok(not js("!!document.querySelector('tr.detail')"), "Esc closes it")
    page.key("Enter")
    case.ok(js("!!document.querySelector('tr.detail')"), "Enter opens it")
    page.key("Escape")
    case.go("row=no%20such%20row")
    case.ok("No row is named" in js("document.querySelector('#ops .said').textContent"), "a row that is not there is said")
    case.go("row=")
    case.ok(js("document.querySelector('#ops-table table').getAttribute('role') === 'treegrid' && "
               "[...document.querySelectorAll('#ops-table tbody tr')].every(r => r.getAttribute('role') === 'row' && r.getAttribute('aria-expanded') === 'false')"),
            "rows have roles, and say whether they are open")
    for key in ("step", "sort", "rank", "run", "by", "scope", "unit"):
        if key in ("rank", "scope") and not case.data.get(key + "s") or key == "run" and len(case.counts) < 2:
            continue
        if key == "unit" and case.data["unit"] not in rules.SCALES or key == "by" and len(case.stacks) < 2:
            continue
        case.go(key + "=no-such")
        said = js("document.querySelector('.top + .said').textContent")
        case.ok("asks for %s no-such" % key in said, "a wrong %s in the address is said" % key, said)
        case.go(key + "=")
    case.ok(not js("document.querySelector('.top + .said').checkVisibility()"), "a right address says nothing")


def check_files(case):
    """What CSV and PNG save: heads with units; a picture that is not empty, made without a request."""
    js = case.js
    js("""(() => { window.saved = []; URL.createObjectURL = blob => { window.saved.push(blob); return '#'; }; HTMLAnchorElement.prototype.click = () => {}; })()""")
    js("[...document.querySelectorAll('#ops button')].find(b => b.textContent === 'CSV').click()")
    lines = list(csv.reader(js("window.saved[0].text()").splitlines()))
    unit = {"us": "_us", "B": "_bytes"}.get(case.data["unit"], "")
    case.ok(lines[0][0] == "name" and "mean" + unit in lines[0] and "share_pct" in lines[0], "heads of CSV have units", lines[0])
    want = [case.ops["name"][i] for i in case.rows()]
    case.ok([line[0] for line in lines[1:]] == ["'" + n if n[:1] in "=+@-" and n else n for n in want], "CSV has the rows that are seen", lines[1:3])
    at = lines[0].index("mean" + unit)
    case.ok([float(line[at]) for line in lines[1:]] == [case.ops["mean"][i] for i in case.rows()], "CSV has their numbers")
    for section in js("[...document.querySelectorAll('section')].filter(s => [...s.querySelectorAll('.head button')].some(b => b.textContent === 'PNG')).map(s => s.id)"):
        js("window.saved = []; [...document.querySelectorAll('#%s .head button')].find(b => b.textContent === 'PNG').click()" % section)
        shown = js("""(async () => { for (let k = 0; k < 50 && !window.saved.length; k++) await new Promise(r => setTimeout(r, 40));
            const image = await createImageBitmap(window.saved[0]), canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height;
            const pen = canvas.getContext('2d'); pen.drawImage(image, 0, 0);
            const seen = new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)); return [image.width, image.height, seen.size]; })()""")
        box = js("(() => { const r = document.querySelector('#%s').getBoundingClientRect(); return [r.width, r.height]; })()" % section)
        case.ok(abs(shown[0] - 2 * (box[0] + 24)) < 4 and abs(shown[1] - 2 * (box[1] + 24)) < 4 and shown[2] > 8, "PNG of %s is the section, drawn" % section, shown, box)


def check_steps(case):
    page, js = case.page, case.js
    steps, several = case.steps, len(case.counts) > 1
    if several:
        case.ok(js("document.querySelectorAll('#steps-plot .mark').length") >= len(case.counts), "each run has a panel with marks")
        page.click("#steps-plot rect[pointer-events=all]", (0.5, 0.5))
        case.ok(js("location.hash") == "#run=1", "a click shows a run", js("location.hash"))
    marks = js("document.querySelectorAll('#steps-plot .mark').length")
    mine = case.counts[0]
    case.ok(marks == mine * (2 if js("!!document.querySelector('#steps-plot .excess')") else 1) - (len([x for x in steps["left"][:mine] if x])
            if js("!!document.querySelector('#steps-plot .excess')") else 0), "each step has its mark, above and below", marks, mine)
    page.hover("#steps-plot svg", (0.6, 0.4))
    legend = js("document.querySelector('#steps-legend').textContent")
    case.ok("step " in legend, "a hovered step is in the legend", legend)
    page.click("#steps-plot svg", (0.6, 0.4))
    page.mouse("mouseMoved", 2, 2)
    page.frame()
    kept = js("new URLSearchParams(location.hash.slice(1)).get('step')")
    case.ok(kept and "Kept" in js("document.querySelector('#steps-legend').textContent"), "a click keeps it, in the address", kept)
    page.key("Escape")
    js("document.querySelector('#steps-plot svg').focus()")
    page.key("Escape")
    case.ok(js("new URLSearchParams(location.hash.slice(1)).get('step')") is None, "Esc lets go")
    page.key("ArrowRight", "ArrowRight")
    case.ok("step %s" % steps["number"][1] in js("document.querySelector('#steps-legend').textContent"), "arrow keys read step after step")
    for stack in case.stacks:
        case.go("by=" + stack["id"] + ("&run=1" if several else ""))
        for i, row in enumerate(stack["rows"]):
            shown = js("[...document.querySelectorAll('#steps-legend tbody tr')].map(r => r.cells[0].textContent)")
        case.ok(shown[:len(stack["rows"])] == [r["name"] for r in reversed(stack["rows"])], "split by %s" % stack["label"], shown)
    # The parts of each step and what is in none of them are the step less its level: by the data.
    case.go("by=&run=")
    for stack in case.stacks:
        off = [i for i, t in enumerate(steps["time"]) if not steps["left"][i] and steps["level"][i] is not None
               and any(r["level"][i] is None for r in stack["rows"])]
        case.ok(not off, "each part of %s has a level where the step has one" % stack["label"], off[:5])


def check_sections(case):
    page, js, data = case.page, case.js, case.data
    if data.get("ranks"):
        page.click("#ranks-plot rect[pointer-events=all]", (0.3, 0.5))
        case.ok("Rank " + data["ranks"]["rank"][0] in js("document.querySelector('#ranks-said').textContent") and "rank=" in js("location.hash"), "a click keeps a rank")
        cells = js("document.querySelectorAll('#ranks-plot rect title').length")
        want = len(data["ranks"]["rank"]) * len((data["excess"]["steps"][0] or []))
        case.ok(cells == want, "a cell for each rank and step", cells, want)
        # Bars of the means: as long as these, those below 0 to the left of the same line.
        bars = js("[...document.querySelectorAll('#ranks-plot svg > rect[fill=\"var(--bar)\"], #ranks-plot svg > rect[fill=\"var(--worsefill)\"]')].map(r => [+r.getAttribute('x'), +r.getAttribute('width')])")
        means = data["excess"]["mean"]
        zero = {round(x if m >= 0 else x + w, 2) for (x, w), m in zip(bars, means)}
        scale = [w / abs(m) for (x, w), m in zip(bars, means) if abs(m) > 1e-3 * max(map(abs, means))]
        case.ok(len(bars) == len(means) and max(zero) - min(zero) < 0.05 and max(scale) - min(scale) < 1e-3 * max(scale), "bars of means are on one line and to scale", zero, scale)
        case.go("rank=")
    if data.get("parts"):
        names, ofs, means = (data["parts"][key] for key in ("part", "of", "mean"))
        windows = [i for i, of in enumerate(ofs) if of is None]
        parts = js("document.querySelectorAll('#devices-plot rect title').length")
        case.ok(parts >= len(windows), "each device has a row of parts", parts)
        for first, end in zip(windows, windows[1:] + [len(ofs)]):
            split = "idle" in ofs[first:end]
            kept = [i for i in range(first, end) if ofs[i] == "idle" or ofs[i] == "window" and not (split and names[i] == "idle")]
            total = sum(means[i] for i in kept)
            case.ok(abs(total - means[first]) <= 1e-4 * means[first], "parts of %s add up to its window" % data["parts"]["device"][first], total, means[first])
    if js("!!document.querySelector('#scopes-plot')"):
        page.click("#scopes-plot rect:nth-of-type(2)")
        case.ok("scope=" in js("location.hash"), "a click enters a scope", js("location.hash"))
        case.go("scope=")
        js("document.querySelector('#scopes-plot svg').focus()")
        page.key("ArrowRight", "ArrowRight", "Enter")
        case.ok("scope=" in js("location.hash"), "the keyboard enters a scope", js("location.hash"))
        page.key(*["Escape"] * 9)
        case.ok("scope=" not in js("location.hash"), "Esc leaves it", js("location.hash"))
        case.go("scope=")
    if js("!!document.querySelector('#scatter-plot circle')"):
        js("document.querySelector('#scatter-plot svg').focus()")
        page.key("ArrowRight", "Enter")
        case.ok("row=" in js("location.hash"), "the keyboard takes a dot", js("location.hash"))
        page.key("Escape")
        case.go("row=")
        page.click("#scatter-plot circle:last-of-type")
        case.ok("row=" in js("location.hash") and js("!!document.querySelector('tr.detail')"), "a click on a dot opens its row", js("location.hash"))
        case.go("row=")


def check_longest(case):
    """The longest kept step and the middle one, by the data."""
    steps = case.steps
    kept = sorted((t, i) for i, t in enumerate(steps["time"]) if t is not None and not steps["left"][i])
    if len(kept) < 3:
        case.ok(not case.js("!!document.querySelector('#longest')"), "fewer than 3 steps have no longest one")
        return
    names = case.js("[...document.querySelectorAll('#longest-plot text.strong')].map(t => t.firstChild.data)")
    several = len(case.counts) > 1
    runs = [r for r, count in enumerate(case.counts) for _ in range(count)]
    words = ["%s%s" % ("%d." % (runs[i] + 1) if several else "", steps["number"][i]) for i in (kept[(len(kept) - 1) // 2][1], kept[-1][1])]
    case.ok(names == ["median: step " + words[0], "longest: step " + words[1]] or steps["time"].count(kept[-1][0]) > 1, "the longest step stands beside the median one", names, words)
    unit = case.js("document.querySelector('#longest-plot svg > text[text-anchor=end]:not(.strong)').textContent")
    ends = case.js("[...document.querySelectorAll('#longest-plot text.mid')].map(t => parseFloat(t.textContent.replace('−', '-').replace(/[^-0-9.]/g, '')))")
    factor = {"ns": 1e3, "µs": 1, "ms": 1e-3, "s": 1e-6}.get(unit)
    if factor:
        times = [kept[(len(kept) - 1) // 2][0] * factor, kept[-1][0] * factor]
        case.ok(len(ends) == 2 and all(end >= 0.99 * time - 0.006 for end, time in zip(ends, times)), "the bars reach the time of their steps", ends, times, unit)
    if case.data.get("cut"):
        command = case.js("document.querySelector('#longest .command code').textContent")
        done = subprocess.run(["sh", "-c", command.replace("stepstat ", STEPSTAT + " ", 1)], capture_output=True, text=True, cwd=TOP)
        made = re.search(r"-o (\S+)", command)[1]
        back = subprocess.run([STEPSTAT, "report", made, "--warmup=none", "--quiet", "--to=json"], capture_output=True, text=True, cwd=TOP)
        os.remove(os.path.join(TOP, made))
        rows = json.loads(back.stdout)["steps"]["rows"]
        case.ok(done.returncode == 0 and [str(r["step"]) for r in rows] == [words[1]] and abs(rows[0]["op_time_us"] - steps["total"][kept[-1][1]]) < 1e-3 * rows[0]["op_time_us"],
                "the command cuts that step out", command, rows[:2])


def check_keyboard(case):
    """Every control is reached by Tab, and the focus is seen."""
    js, page = case.js, case.page
    js("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); scrollTo({top: 0, behavior: 'instant'})")
    bad = []
    for _ in range(400):
        page.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        who = js("(() => { const e = document.activeElement; if (!e || e === document.body) return null; e.dataset.seen = 1;"
                 "return [e.tagName + '#' + e.id, getComputedStyle(e).outlineStyle !== 'none']; })()")
        if who is None:
            break
        if not who[1]:
            bad.append(who[0] + " shows no focus")
    missed = js("[...document.querySelectorAll('a[href],button,select,input,summary,[tabindex=\"0\"]')].filter(e => e.checkVisibility() && !e.closest('[hidden]') && !e.dataset.seen).map(e => e.tagName + '#' + e.id + ' ' + e.textContent.slice(0, 20)).slice(0, 5)")
    case.ok(not bad and not missed, "Tab reaches every control, with a focus that is seen", *(bad[:5] + missed))


CONTRAST = """(() => {
  const lum = c => { const v = c.map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; }); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const rgb = s => (s.match(/[\\d.]+/g) || []).map(Number), bad = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg,script,style,[hidden],.unseen') || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility()) continue;
    let b = e, back = [255, 255, 255, 0];
    while (b && (back = rgb(getComputedStyle(b).backgroundColor)).length === 4 && back[3] === 0) b = b.parentElement;
    if (!b) back = rgb(getComputedStyle(document.body).backgroundColor);
    const f = rgb(getComputedStyle(e).color), a = lum(f.slice(0, 3)), g = lum(back.slice(0, 3)), ratio = (Math.max(a, g) + .05) / (Math.min(a, g) + .05);
    if (ratio < 4.5 && !e.disabled) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' ' + e.textContent.slice(0, 20));
  }
  return [...bad].slice(0, 6);
})()"""


def check_page(browser, name, path):
    case = Case(browser, name, path)
    top = case.js("[document.querySelector('#steps-plot svg').getBoundingClientRect().top, document.querySelector('#ops-table tbody tr').getBoundingClientRect().top]")
    case.ok(top[0] <= FIRST_PLOT and top[1] <= FIRST_ROW, "the first plot and the first row are on the first screen", top)
    check_words(name, case.page)
    check_layout(name, case.page, "report")
    check_numbers(case)
    check_table(case)
    if len(case.steps["number"]) > 1:
        check_steps(case)
    check_rows(case)
    check_sections(case)
    check_longest(case)
    check_files(case)
    check_keyboard(case)
    light = case.js(CONTRAST)
    case.page.media(prefers_color_scheme="dark")
    case.page.frame()
    dark = case.js(CONTRAST)
    case.ok(not light and not dark, "contrast of text is 4.5 or more, light and dark", *(light + dark))
    case.page.media(prefers_reduced_motion="reduce")
    case.ok(case.js("getComputedStyle(document.documentElement).scrollBehavior === 'auto'"), "reduced motion: nothing moves")
    case.page.media()
    sheets = len(re.findall(rb"/Type\s*/Page\b", case.page.pdf(os.devnull)))
    case.ok(1 <= sheets <= PAGES_MOST, "printed on 1 to %d pages" % PAGES_MOST, sheets)
    case.ok(not case.page.events, "no request, message, exception or report against the policy", *case.page.events[:5])
    case.page.close()


def check_link(browser, name, path):
    """#row=NAME, and #op=NAME of older links, open the row of that name, also one that is not among the largest."""
    for key, i in (("row", 0), ("op", -1)):
        op = data_of(path)["series"]["op"][i]
        case = Case(browser, name, path, hash="#%s=" % key + "".join("%%%02X" % b for b in op.encode("utf-8", "surrogatepass")))
        case.ok(case.js("(document.querySelector('tr.detail .said') || {}).textContent") == op, "#%s= opens %s" % (key, ascii(op)[:40]), case.js("location.hash"))
        case.page.close()


def check_without_script(browser, name, path):
    page = browser.open("file://" + path, script=False)
    root = page.call("DOM.getDocument")["root"]["nodeId"]

    def count(selector):
        return len(page.call("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"])
    found = {what: count(what) for what in ("h1", "#ops noscript tbody tr", "#steps-table tbody tr", "#notes li", "#method dt", "noscript p")}
    ok(all(found.values()), "%s: without script sentences, numbers and tables are there, and a line says where the plots are" % name, found)
    data = data_of(path)
    for key, what in (("parts", "#devices tbody tr"), ("ranks", "#ranks-table tbody tr"), ("split", "#split-table tbody tr")):
        if data.get(key):
            ok(count(what) > 0, "%s: without script %s is there" % (name, what))
    boxes = page.call("DOMSnapshot.captureSnapshot", computedStyles=["display"])["documents"][0]
    ok(boxes["scrollOffsetX"] == 0 and page.call("Page.getLayoutMetrics")["cssContentSize"]["width"] == 1280, "%s: without script as wide as the window" % name)
    ok(not page.events, "%s: without script no message" % name, *page.events[:3])
    page.close()


def check_commands(case, folder, stepstat):
    """The commands of each row in a shell: each gives the row it stands beside, and nothing else happens."""
    bad = []
    here = os.path.join(folder, "shell")
    os.mkdir(here)
    path = dict(os.environ, PATH=os.path.dirname(stepstat) + os.pathsep + os.environ["PATH"])
    for name in case.ops["name"]:
        case.go("row=" + "".join("%%%02X" % b for b in name.encode("utf-8", "surrogatepass")))
        row, steps = case.js("[...document.querySelectorAll('tr.detail .command code')].map(e => e.textContent)")
        done = subprocess.run(["sh", "-c", row + " -o rows.csv"], cwd=here, env=path, capture_output=True, text=True)
        got = []
        if done.returncode == 0:
            with open(os.path.join(here, "rows.csv"), encoding="utf-8") as file:
                got = [r["op"] for r in csv.DictReader(file)]
        if [SHOWN.sub(lambda c: "".join("\\x%02x" % b for b in c[0].encode()), n) for n in got] != [name]:
            bad.append("%s: %s %s" % (row[-120:], got, done.stderr[:200]))
        done = subprocess.run(["sh", "-c", steps], cwd=here, env=path, capture_output=True, text=True)
        if done.returncode:
            bad.append("%s: %s" % (steps[-120:], done.stderr[:200]))
    ok(not bad, "hostile names: the commands of the rows give their rows", *bad[:6])
    ok(sorted(os.listdir(here)) == ["rows.csv"], "hostile names: nothing else ran", os.listdir(here))


def check_gap(browser, folder, stepstat):
    """Steps 1 to 50 and 201 to 250, of which the latter are longer: the line stands before step 201."""
    path = os.path.join(folder, "gap.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("run,step,op,time_us\n")
        for step in list(range(1, 51)) + list(range(201, 251)):
            for op in range(6):
                file.write("r,%d,op_%d,%.1f\n" % (step, op, 1000 * (op + 1) * (1 + 0.001 * (step * (op + 3) % 7)) * (1.8 if step > 200 and op == 3 else 1)))
    case = Case(browser, "gap", write(stepstat, [path], os.path.join(folder, "gap.html")))
    at = case.js("(() => { const line = document.querySelector('#steps-plot line[stroke=\"var(--worse)\"]'), marks = [...document.querySelectorAll('#steps-plot .mark')];"
                 "return [+line.getAttribute('x1'), +marks[49].getAttribute('x') + +marks[49].getAttribute('width'), +marks[50].getAttribute('x')]; })()")
    said = case.js("[...document.querySelectorAll('#steps-plot text.worse')].map(t => t.textContent)")
    case.ok(at[1] - 4 <= at[0] <= at[2] + 4 and len(said) == 1 and "step 201" in said[0], "a level that changes at a gap in the numbers is drawn there", at, said)
    case.page.close()


def check_unknown(browser, folder, stepstat):
    """Steps whose sum is not known, since an op without a value ran in each: no plot of the longest, and no number that is none."""
    path = os.path.join(folder, "unknown.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("run,step,op,measure,value,unit\n" + "".join("a,%d,x,time,,us\na,%d,y,time,%d,us\n" % (i, i, i) for i in range(1, 5)))
    page = browser.open("file://" + write(stepstat, [path], os.path.join(folder, "unknown.html")), width=1400)
    text = page.js("document.body.innerText")
    ok("The time of a step is not known." in text and not re.search("undefined|NaN|longest step", text) and not page.events, "unknown steps are said, not drawn",
       text[:200], page.events)
    page.close()


def check_facts(browser, folder, stepstat):
    """The day of the first step in UTC, and what the traces say of where they were made."""
    path = write(stepstat, ["tests/data/ranks/gloo"], os.path.join(folder, "facts.html"))
    case = Case(browser, "facts", path)
    facts = case.js("document.querySelector('.facts').textContent")
    with gzip.open("tests/data/ranks/gloo/run1/rank0.json.gz", "rt", encoding="utf-8") as file:
        trace = json.load(file)
    first = min(event["ts"] for event in trace["traceEvents"] if str(event.get("name")).startswith("ProfilerStep"))
    want = datetime.datetime.fromtimestamp(trace["baseTimeNanoseconds"] / 1e9 + first / 1e6, datetime.timezone.utc).strftime("%Y-%m-%d")
    days = re.findall(r"\d{4}-\d\d-\d\d", facts)
    case.ok("host vm" in facts and days == [want], "day and host are in the first line", facts, want)
    case.page.close()


def check_hostile(browser, folder, stepstat):
    counts = []
    for kind, names in (("plain", [re.sub(r"[^\w/:]", "x", name) for name in HOSTILE]), ("hostile", HOSTILE)):
        table = os.path.join(folder, kind + ".csv")
        hostile_table(table, names)
        case = Case(browser, kind + " names", write(stepstat, [table], os.path.join(folder, kind + ".html"), "--warmup=none"))
        for name in names:
            case.go("row=" + "".join("%%%02X" % b for b in name.encode("utf-8", "surrogatepass")))
        case.go("q=x")
        case.go("all=1")
        counts.append(case.js("['script', 'img', 'iframe', 'style', 'b', 'i', 'section', 'a', 'link', 'object', 'tr', 'td'].map(q => document.querySelectorAll(q).length)"))
        case.ok(not case.page.events, "no request, message or exception", *case.page.events[:3])
        case.ok(case.count == len(names), "each is an op", case.count, len(names))
        if kind == "hostile":
            check_commands(case, folder, stepstat)
        case.page.close()
        with open(case.path, encoding="utf-8") as file:
            text = file.read()
        case.ok("<" not in DATA.search(text)[1], "no < in the data")
    ok(counts[0] == counts[1], "hostile names change no count of elements", *counts)


def check_large(browser, folder, stepstat, make_runs):
    made = os.path.join(folder, "large")
    os.mkdir(made)
    subprocess.run([make_runs, "--runs", "10", "--ops", "5000", "--steps", "200", made], check=True, stdout=subprocess.DEVNULL)
    base = [os.path.join(made, name) for name in sorted(os.listdir(made)) if "base" in name] or [made]
    path = write(stepstat, base, os.path.join(folder, "large.html"))
    size = os.path.getsize(path)
    ok(size < 5e6, "large: below 5 MB", size)
    case = Case(browser, "large", path)
    times = []
    for _ in range(3):
        case.page.loaded = False
        case.page.call("Page.reload")
        while not case.page.loaded:
            browser.read(1)
        case.page.frame()
        times.append(case.js("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    print("# large: %d ops, %d steps; %.1f MB, first paint after %s ms" % (case.count, len(case.steps["number"]), size / 1e6, [round(x) for x in times]))
    case.ok(min(times) < 500, "first paint in less than half a second", times)
    for words in ("sort=-cv", "q=op%201", "q=", "by=op", "run=3", "row=" + case.ops["name"][4]):
        took = case.js("(() => { const t = performance.now(); location.hash = %s; return new Promise(r => requestAnimationFrame(() => r(performance.now() - t))); })()" % json.dumps("#" + words))
        print("# large: %s takes %.0f ms" % (words, took))
    case.ok(not case.page.events, "no message", *case.page.events[:3])
    case.page.close()


def pictures(browser, folder, name, path):
    for tag, how in (("light", {"width": 1400}), ("narrow", {"width": 420}), ("dark", {"width": 1400, "media": {"prefers_color_scheme": "dark"}})):
        page = browser.open("file://" + path, **how)
        page.picture(os.path.join(folder, "%s-%s.png" % (name, tag)))
        if tag == "light":
            page.pdf(os.path.join(folder, name + ".pdf"))
        page.close()


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    global STEPSTAT
    stepstat = STEPSTAT = os.path.abspath([a for a in sys.argv[1:] if not a.startswith("--")][0])
    path = find_browser()
    if not path:
        print("1..0 # SKIP pages.py: no Chromium, so no page was opened")
        return 0
    browser = Browser(path)
    os.chdir(TOP)
    pages = [("dump", ["examples/resnet_tower"], []), ("ranks", ["tests/data/ranks/gloo"], []), ("runs", ["examples/ci/base"], []),
             ("gpu", ["tests/data/kineto/two_steps_v100.json.gz"], []), ("trace", ["tests/data/kineto/conv-all-r1.json.gz"], []),
             ("one step", ["tests/data/golden/names"], []),
             ("bytes", ["examples/resnet_tower"], ["--measures=requested"]),
             ("counts", ["tests/data/golden/train"], ["--measures=occurrence"]), ("overlap", ["tests/data/golden/train"], ["--value=total"])]
    only = options.get("only", "").split(",") if options.get("only") else None
    try:
        with tempfile.TemporaryDirectory(prefix="stepstat-pages-") as folder:
            for name, inputs, more in pages:
                if only and name not in only:
                    continue
                file = write(stepstat, inputs, os.path.join(folder, name.replace(" ", "_") + ".html"), *more)
                check_page(browser, name, file)
                check_link(browser, name, file)
                check_without_script(browser, name, file)
                if "pictures" in options:
                    pictures(browser, options["pictures"], name.replace(" ", "_"), file)
            if not only or "gap" in only:
                check_gap(browser, folder, stepstat)
                check_unknown(browser, folder, stepstat)
                check_facts(browser, folder, stepstat)
            if not only or "hostile" in only:
                check_hostile(browser, folder, stepstat)
            if "large" in options and (not only or "large" in only):
                check_large(browser, folder, stepstat, os.path.abspath(options["large"]))
    finally:
        browser.close()
    print("1..%d" % rules.count)
    return 1 if rules.failed else 0


if __name__ == "__main__":
    sys.exit(main())
