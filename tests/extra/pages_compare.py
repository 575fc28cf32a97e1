"""Pages of compare, gate, ab, history and of benchmarks in a headless Chromium without network: what a reader sees and does, and what nobody may do.

usage: pages_compare.py STEPSTAT

The numbers of the tables, of C and of the script, are held against the data of the page by the rules of doc/pages.md, written here once more.
TAP on standard output; all is skipped, aloud, where there is no Chromium.
"""
import csv
import html
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    from devtools import Browser, Page, find_browser
except ImportError:
    print("1..0 # SKIP no devtools.py beside this file")
    sys.exit(0)

WIDTHS = [1400, 1024, 420]
WORDS_MOST = 60
GATE_MOST = {1400: 2000, 420: 4000}
HOSTILE = ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "'); alert(1); ('", "${alert(1)}",
           "&lt;i&gt;", "a\u2028b", "\u202egnp.exe", "__proto__", "constructor", "x" * 900, "REGRESSED, SAME", "'$(touch x)`touch y`", "a/[b/c"]
PLAIN = [("conv1/Conv2D", 4000), ("conv2/Conv2D", 6000), ("grad/Conv2D", 5000), ("input/Decode", 1500), ("loss/Softmax", 150), ("input/Shuffle", 300)]
MARKS = {"REGRESSED": "▲", "MORE": "△", "SLOWER": "△", "WORSE": "△", "LOST": "×", "IMPROVED": "▼", "LESS": "▽", "FASTER": "▽", "BETTER": "▽", "NEW": "+",
         "GONE": "×", "SAME": "=", "INCONCLUSIVE": "◌", "RARE": "◌"}
count = failed = 0

# Texts of plots and cells, where they are: [kind, left, top, right, bottom, text].
SEEN = """(() => { const out = [];
for (const e of document.querySelectorAll('svg text, td, th, button, select, input, h1, p, li, dd')) {
  if (e.closest('.unseen, details:not([open])') || !e.textContent.trim() && !e.matches('input')) continue;
  const r = e.getBoundingClientRect();
  if (r.width && r.height) out.push([e.tagName, r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY, e.textContent.slice(0, 60)]);
} return out; })()"""
# Words above the first table or plot.
ABOVE = """(() => { const first = Math.min(...[...document.querySelectorAll('table, .plot')].map(e => e.getBoundingClientRect()).filter(r => r.height)
  .map(r => r.top));
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); let text = '';
while (walk.nextNode()) { const e = walk.currentNode.parentElement;
  if (e.closest('script, noscript, style, button, select, .unseen')) continue;
  const r = e.getBoundingClientRect(); if (r.height && r.bottom <= first + 1) text += ' ' + walk.currentNode.data; }
return [text.trim().replace(/\\s+/g, ' '), first]; })()"""
CELLS = """[...document.querySelectorAll('#rows-table tbody tr[data-i]')].map(r => [r.dataset.i, ...[...r.cells].map(c => c.textContent)])"""


def ok(good, what, *why):
    global count, failed
    count += 1
    if not good:
        failed += 1
        for line in why:
            print("# %s" % str(line)[:900])
    print("%sok %d - %s" % ("" if good else "not ", count, what), flush=True)


# ---- the rules of numbers ----

SCALES = {"us": [("ns", 1e-3), ("µs", 1), ("ms", 1e3), ("s", 1e6)], "B": [("B", 1), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)]}


def places(value):
    return max(0, min(3, 3 - math.floor(math.log10(abs(value))))) if value else 3


def fixed(value, digits, sign=False):
    if value is None:
        return "–"
    text = "%.*f" % (digits, abs(value))
    whole, _, part = text.partition(".")
    if len(whole) > 4:
        whole = re.sub(r"\B(?=(\d{3})+$)", "\u2009", whole)
    lead = "" if not float(text) else "−" if value < 0 else "+" if sign else ""
    return lead + whole + (part and "." + part)


def unit_of(value, base):
    return max([u for u in SCALES[base] if abs(value) >= 0.9995 * u[1]] or SCALES[base][:1], key=lambda u: u[1])


def column(values, value, base, sign):
    """A cell of base, new or adds: one unit and one number of decimals for all."""
    largest = max([abs(v) for v in values if v is not None], default=0)
    name, factor = unit_of(largest, base)
    whole = name == "B" and largest == int(largest)
    return "" if value is None else fixed(value / factor, 0 if whole else places(largest / factor), sign)


def quantity(value, base):
    if value is None:
        return ""
    name, factor = unit_of(value, base) if base in SCALES else (base, 1)
    whole = name in ("B", "") and value / factor == int(value / factor)
    return fixed(value / factor, 0 if whole else places(value / factor)) + (name and "\u00a0" + name)


def factor_of(value):
    return "×\u00a0" + fixed(1 + value / 100, 1 if value < 900 else 0)


def change(value):
    return "" if value is None else factor_of(value) if value >= 400 else fixed(value, 0 if abs(value) >= 99.95 else 1, True)


def interval(low, high):
    if low is None or high is None:
        return ""
    return "[%s, %s]" % ((factor_of(low), factor_of(high)) if high >= 400 else (change(low), change(high)))


def chance(row):
    q = row["q"]
    return "exact" if row["evidence"] == "exact" else "" if q is None else "<0.001" if q < 0.001 else "%.*f" % (3 if q < 0.1 else 2, q)


def unfold(table):
    """Columns in which all rows are alike stand alone; texts that come again are indexes of words."""
    def column(value):
        if isinstance(value, list):
            return value
        return [None if i is None else value["words"][i] for i in value["at"]] if isinstance(value, dict) else [value] * table["rows"]
    return {key: column(value) if "rows" in table and key != "rows" else value for key, value in table.items()}


def read(text):
    """The data of a page; of a comparison with its rows: each change with its op and its test."""
    data = json.loads(text, object_hook=unfold)
    if "changes" in data:
        ops, changes = data["ops"], data["changes"]
        rows = data["rows"] = dict(changes, name=changes["op"], short=[ops["short"][i] for i in changes["row"]])
        for key in ("base", "new", "difference", "change", "low", "high", "q", "verdict", "evidence"):
            rows[key] = [ops["%s_%s" % (measure, key)][i] for i, measure in zip(changes["row"], changes["measure"])]
    return data


def wanted(data, i, mixed):
    """The cells of a row, by its data."""
    rows = data["rows"]
    row = {key: values[i] for key, values in rows.items() if isinstance(values, list)}
    suite = data["page"] == "suite"
    pool = rows["base"] + rows["new"]
    cells = [row.get("short") or row["name"]] + ([row["measure"]] if mixed else [])
    cells += [quantity(row[k], row["unit"]) if suite else column(pool, row[k], data["unit"], False) for k in ("base", "new")]
    cells += [("↑" if row["higher"] else "↓")] if suite else []
    cells += [change(row["change"]), ""]
    # Columns in which no row has anything are not there.
    cells += [interval(row["low"], row["high"])] if any(v is not None for v in rows["low"]) else []
    cells += [chance(row)] if any(q is not None or e == "exact" for q, e in zip(rows["q"], rows["evidence"])) else []
    cells += [] if suite else [column(pool, row["difference"], data["unit"], True)]
    word = "%s %s" % (MARKS[row["verdict"]], row["verdict"]) if row["verdict"] else ""
    return cells + [word + (row["mark"] or "") + ((" " if word else "") + row["note"] if row["note"] else "")]


def near(a, b):
    """Six digits of the data may round a half the other way."""
    if a == b:
        return True
    plain = [re.sub(r"[\u2009+]", "", x).replace("−", "-") for x in (a, b)]
    numbers = [re.findall(r"-?[\d.]+", x) for x in plain]
    if len(numbers[0]) != len(numbers[1]) or re.sub(r"[\d.-]", "", plain[0]) != re.sub(r"[\d.-]", "", plain[1]):
        return False
    return all(abs(float(x) - float(y)) <= 1.01 * 10.0 ** -len(x.partition(".")[2]) for x, y in zip(*numbers))


# ---- the pages ----


def table(path, ops, runs, seed, factor=None, sd=0.02, memory=None, steps=10):
    source = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "step", "op", "type", "time_us", "requested_bytes"])
        for run in range(runs):
            for step in range(steps):
                for name, time in ops:
                    value = time * (factor or {}).get(name, 1) * max(0.1, source.gauss(1, sd))
                    out.writerow(["run %d" % run, step, name, name[:9], "%.3f" % value, (memory or {}).get(name, 1000000)])


PACKAGES = ["encoding/json", "encoding/html", "net/http", "net/url", "regexp", "sort", "strings", "bytes"]


def suite(path, runs, seed, factor):
    """24 benchmarks over sizes and kinds; factor(package, benchmark, size, kind). Those of regexp have a rate, too."""
    source = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "benchmark", "time_us", "tokens_per_s"])
        for run in range(runs):
            for package in PACKAGES:
                for what in ("Read", "Write", "Scan"):
                    for kind in ("small", "large"):
                        for size in (64, 512, 4096, 32768):
                            time = size * factor(package, what, size, kind) * source.gauss(1, 0.006)
                            rate = "%.3f" % (1e6 / time) if package == "regexp" else ""
                            out.writerow([run, "%s/%s/size=%d/kind=%s" % (package, what, size, kind), "%.4f" % time, rate])


def changed(package, what, size, kind):
    if (package, what) == ("net/http", "Read"):
        return 1 + 0.02 * math.log2(size)
    return {("encoding/json", "Write", "large"): 0.9}.get((package, what, kind), 1.2 if (package, what) == ("regexp", "Scan") else 1)


def nights(path):
    """24 nights of two runs: b is 12 % slower from night 17 on, the hostile row 9 % faster with another driver from night 13 on."""
    source = random.Random(14)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "benchmark", "time_us", "machine", "commit", "driver", "start"])
        for night in range(24):
            for run in range(2):
                for row, (name, change) in enumerate((("a", 1), ("b", 1.12 if night >= 16 else 1), (HOSTILE[0], 0.91 if night >= 12 else 1))):
                    out.writerow(["n%02d-%d" % (night, run), name, "%.3f" % (100 * (row + 1) * change * source.gauss(1, 0.004)), "m1", "%07x" % (4096 + night),
                                  "%d" % (550 + 10 * (row == 2 and night >= 12 or night >= 12)), "2026-10-%02dT03:0%d:00Z" % (night + 1, run)])


def make_pages(stepstat, folder):
    """Name -> page, and for each the exit status that the command must have."""
    def path(name):
        return os.path.join(folder, name)

    hostile = [(name, 1000 * (i + 1)) for i, name in enumerate(HOSTILE)]
    many = [("scope%d/part%d/Op" % (i % 7, i), 1000 / (1 + i)) for i in range(320)]
    table(path("base.csv"), PLAIN, 5, 1)
    table(path("new.csv"), PLAIN[:-1] + [("optim/Clip", 420)], 5, 2, {"grad/Conv2D": 1.1, "input/Decode": 0.87}, memory={"conv2/Conv2D": 1200000})
    table(path("far.csv"), PLAIN, 5, 2, {"grad/Conv2D": 1.3, "input/Decode": 8.5})
    table(path("same.csv"), PLAIN, 5, 3)
    table(path("one_base.csv"), PLAIN, 1, 4)
    table(path("one_new.csv"), PLAIN, 1, 5)
    table(path("noisy_base.csv"), many[:30], 3, 6, sd=0.6)
    table(path("noisy_new.csv"), many[:30], 2, 7, sd=0.6)
    table(path("odd_base.csv"), hostile, 4, 8)
    table(path("odd_new.csv"), hostile + [("<i>new</i>", 900)], 4, 9, {HOSTILE[0]: 1.5, HOSTILE[11]: 1.6})
    table(path("many_base.csv"), many, 3, 10, sd=0.01, steps=3)
    table(path("many_new.csv"), many, 3, 11, {name: 1.3 for name, _ in many[::2]}, sd=0.01, steps=3)
    suite(path("suite_base.csv"), 5, 12, lambda *_: 1)
    suite(path("suite_new.csv"), 5, 13, changed)
    pages = {"compare": ("compare", "base.csv", "new.csv", 0), "red": ("gate", "base.csv", "far.csv", 1), "same": ("compare", "base.csv", "same.csv", 0),
             "one": ("compare", "one_base.csv", "one_new.csv", 0), "blind": ("gate", "noisy_base.csv", "noisy_new.csv", 4),
             "hostile": ("compare", "odd_base.csv", "odd_new.csv", 0), "memory": ("compare", "base.csv", "new.csv", 0, "--measures=requested"),
             "many": ("gate", "many_base.csv", "many_new.csv", 1, "--min-share=0"), "suite": ("gate", "suite_base.csv", "suite_new.csv", 1),
             "suites": ("compare", "suite_base.csv", "suite_new.csv", 0),
             "several": ("compare", "base.csv", "new.csv", 0, "same.csv")}
    for name, (command, base, new, status, *options) in pages.items():
        done = subprocess.run([stepstat, command, base, new, *options, "-o", name + ".html"], cwd=folder, capture_output=True, text=True)
        ok(done.returncode == status, "%s: exit status %d" % (name, status), done.returncode, done.stderr)
    nights(path("nights.csv"))
    subprocess.run([stepstat, "record", "store", "nights.csv"], cwd=folder, capture_output=True)
    done = subprocess.run([stepstat, "history", "store", "-o", "history.html"], cwd=folder, capture_output=True, text=True)
    ok(done.returncode == 0, "history: exit status 0", done.returncode, done.stderr)
    pages["history"] = None
    session = os.path.join(os.environ.get("top_srcdir", "."), "tests/data/ab/regressed")
    if os.path.isdir(session):
        subprocess.run([stepstat, "ab", session, "-o", path("pairs.html")], capture_output=True)
        pages["pairs"] = None
    return {name: path(name + ".html") for name in pages}


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def check_numbers(name, path, page):
    text = open(path, encoding="utf-8").read()
    data = read(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
    if "rows" not in data:
        return
    mixed = len(set(data["rows"]["measure"])) > 1
    page.js("location.hash = '#all=1'")
    page.frame()
    drawn = [row[1:] for row in page.js(CELLS)]
    forest = page.js("[...document.querySelectorAll('#rows-table th')].findIndex(h => h.dataset.plot)")
    for row in drawn:
        row[forest] = ""
    ok(len(drawn) == data["rows"]["rows"], "%s: the script has all rows" % name, len(drawn), data["rows"]["rows"])
    off = [(a, b) for i, row in enumerate(drawn) for a, b in zip(row, wanted(data, i, mixed)) if not near(a, b)]
    short = [row for row in drawn if len(row) != len(wanted(data, 0, mixed))]
    ok(not off and not short, "%s: each cell is its number" % name, len(off), off[:6], short[:1])
    page.js("location.hash = '#all='")
    page.frame()


def check_layout(name, page, what):
    bad, touching = [], []
    for width in WIDTHS:
        page.size(width)
        page.js("new Promise(r => setTimeout(r, 80))")
        page.frame()
        seen = page.js(SEEN)
        if page.js("document.documentElement.scrollWidth") > width:
            bad.append((width, "scrolls", page.js("document.documentElement.scrollWidth")))
        bad += [(width, s) for s in seen if s[1] < -0.6 or s[3] > width + 0.6]
        labels = [s for s in seen if s[0] == "text"]
        touching += [(width, a[5], b[5]) for i, a in enumerate(labels) for b in labels[i + 1:]
                     if min(a[3], b[3]) - max(a[1], b[1]) > 1 and min(a[4], b[4]) - max(a[2], b[2]) > 3]
        height = page.js("document.documentElement.scrollHeight")
        if what == "gate" and width in GATE_MOST:
            ok(height <= GATE_MOST[width], "%s: at most %d px high at %d" % (name, GATE_MOST[width], width), height)
        print("# %s at %d: %d px high, %d labels" % (name, width, height, len(labels)))
    ok(not bad, "%s: everything is within the window" % name, *bad[:4])
    ok(not touching, "%s: no label lies over another" % name, *touching[:4])
    page.size(1400)
    page.frame()


def check_words(name, page):
    words, top = page.js(ABOVE)
    number = len([word for word in words.split() if re.search(r"\w", word)])
    ok(number <= WORDS_MOST, "%s: at most %d words before the first table or plot" % (name, WORDS_MOST), number, words)
    print("# %s: %d words, the first table or plot at y = %d" % (name, number, top))


def shown(page):
    return page.js("[...document.querySelectorAll('#rows-table tbody tr[data-i]')].filter(r => !r.hidden).map(r => r.dataset.i)")


def drive(page):
    data = read(page.js("document.querySelector('#data').textContent"))
    rows = data["rows"]
    ok(len(shown(page)) == data["fold"], "open rows are those that failed", shown(page), data["fold"])
    page.click("input[type=search]")
    page.type("input")
    found = [i for i, name in enumerate(rows["name"]) if "input" in name]
    ok(sorted(map(int, shown(page))) == found, "the filter leaves what matches", shown(page))
    said = page.js("document.querySelector('#rows .said').textContent")
    total = column(rows["base"] + rows["new"], sum(rows["difference"][i] for i in found), "us", True)
    ok("%d of %d rows" % (len(found), rows["rows"]) in said and total in said, "the sum of what is left is said", said, total)
    ok("q=input" in page.js("location.hash"), "the filter is in the address")
    page.js("location.hash = '#q=' + encodeURIComponent('/(/')")
    page.frame()
    ok("Not a pattern" in page.js("document.querySelector('#rows .said').textContent"), "a bad pattern is said")
    page.js("location.hash = '#all=1&sort=-change'")
    page.frame()
    changes = [rows["change"][int(i)] for i in shown(page)]
    known = [x for x in changes if x is not None]
    ok(known == sorted(known, reverse=True) and len(changes) == rows["rows"], "the address sorts", changes)
    page.js("location.hash = '#all=1'")
    page.click("th[data-key=difference] button")
    adds = [rows["difference"][int(i)] for i in shown(page)]
    ok(adds == sorted(adds, reverse=True), "a click on a head sorts", adds)
    page.click("#rows-table tbody tr[data-i] td.name")
    ok(page.js("document.querySelectorAll('tr.detail dt').length") > 5 and page.js("!!document.querySelector('tr.detail svg circle')"),
       "a click opens the row with numbers and runs")
    ok("--explain=" in page.js("document.querySelector('tr.detail code').textContent"), "its command is there")
    page.key("Escape")
    ok(not page.js("!!document.querySelector('tr.detail')"), "Escape closes it")
    page.js("(() => { const u = document.querySelector('.tools select'); u.value = 's'; u.dispatchEvent(new Event('change')); })()")
    page.frame()
    ok(page.js("['base', 'new', 'difference'].map(k => document.querySelector('#rows-table th[data-key=' + k + '] .unit')).every(u => u.textContent === 's')"), "the unit is chosen for the table")
    page.js("document.querySelector('#rows-table tbody tr[data-i]').focus()")
    page.key("ArrowDown", "Enter")
    ok(page.js("!!document.querySelector('tr.detail')"), "the keyboard opens a row")


def drive_suite(page):
    data = read(page.js("document.querySelector('#data').textContent"))
    rows = data["rows"]
    known = [i for i, x in enumerate(rows["change"]) if x is not None]
    ok(page.js("document.querySelectorAll('#glance-plot circle').length") == len(known), "a dot for each benchmark and measure", len(known))
    places = {(rows["package"][i], rows["benchmark"][i], rows["parameters"][i]) for i in known if rows["measure"][i] == "time"}
    ok(len(places) == 192 and {p for p, _, _ in places} == set(PACKAGES), "names are taken apart into packages, benchmarks and parameters", len(places))
    packages = data["packages"]
    for package, measure, count, said in zip(*(packages[key] for key in ("package", "measure", "count", "change"))):
        ratios = [rows["new"][i] / rows["base"][i] for i in known if (rows["package"][i], rows["measure"][i]) == (package, measure)]
        mean = 100 * (math.exp(sum(map(math.log, ratios)) / len(ratios)) - 1)
        if abs(mean - said) > 1e-3 or len(ratios) != count:
            ok(False, "the typical change of a package is the geometric mean", package, mean)
    titles = page.js("[...document.querySelectorAll('#facets h3')].map(h => h.textContent)")
    ok(sorted(set(titles)) == ["encoding/json/Write", "net/http/Read", "regexp/Scan"], "facets are of benchmarks in which something changed", titles)
    page.click("#glance-plot circle")
    ok(page.js("!!document.querySelector('tr.detail svg')"), "a click on a dot opens its row")


def drive_history(page):
    names = page.js("[...document.querySelectorAll('#rows-table tbody tr[data-i]')].map(r => r.cells[0].textContent)")
    ok(names == ["b", HOSTILE[0], "a"], "what changed last is first", names)
    marks = page.js("[...document.querySelectorAll('#rows-table tbody tr[data-i]')].map(r => r.querySelectorAll('svg .change').length)")
    ok(marks == [1, 1, 0], "a mark for each change", marks)
    words = page.js("[...document.querySelectorAll('#rows-table tbody tr[data-i]')].map(r => [...r.cells].slice(2).map(c => c.textContent))")
    ok(re.match(r"\+1[12]\.\d.%", words[0][1]) and words[0][2] == "2026-10-17" and words[0][4] == "this row", "the change of the row and its night", words[0])
    ok(words[1][1].startswith("−") and words[1][2] == "2026-10-13" and words[1][4] == "with it: driver 550 -> 560", "a change with another driver", words[1])
    page.js("document.querySelector('button[data-filter=\"kind:method\"]').click()")
    page.frame()
    ok(page.js("[...document.querySelectorAll('#rows-table tbody tr[data-i]')].map(r => r.cells[0].textContent)") == [HOSTILE[0]], "a button shows one kind")
    page.js("location.hash = '#row=b'")
    page.frame()
    ok(page.js("document.querySelectorAll('tr.detail circle').length") == 24, "an open row has a dot for each session")
    ok(page.js("document.querySelector('tr.detail circle:last-of-type title').textContent").count("1017") == 1, "a dot has its commit")
    # The level is the geometric mean of the nights of each part.
    values = page.js("(d => [d.series.value, d.series.level, d.series.op.at, d.series.op.words])(JSON.parse(document.querySelector('#data').textContent))")
    own = [(v, level) for v, level, at in zip(values[0], values[1], values[2]) if values[3][at] == "b"]
    mean = [math.exp(sum(math.log(v) for v, _ in part) / len(part)) for part in (own[:16], own[16:])]
    ok(all(abs(level / mean[i >= 16] - 1) < 1e-5 for i, (_, level) in enumerate(own)), "levels are means of their nights", mean, own[0], own[-1])
    said = page.js("document.querySelector('tr.detail code').textContent")
    ok(said.startswith("stepstat compare --base store/202610") and said.count(".obs") == 10, "its command compares both sides", said)


def main():
    binary = find_browser()
    if not binary:
        print("1..0 # SKIP no Chromium")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pages = make_pages(os.path.abspath(sys.argv[1]), folder)
        browser = Browser(binary)
        for name, path in pages.items():
            scripted = 'id="data"' in open(path, encoding="utf-8").read()
            page = Page(browser, "file://" + path, width=1400)
            ok(page.js("document.scripts.length") == (2 if scripted else 0) and not page.js("!!document.querySelector('body img, body i')"),
               "%s: no name became markup" % name)
            ok(not page.js("/NaN|undefined|Infinity/.test(document.body.innerText)"), "%s: no number that is none" % name)
            check_words(name, page)
            check_layout(name, page, "gate" if name in ("red", "blind", "many", "suite") else "")
            if scripted:
                ok(page.js("document.querySelectorAll('svg').length") > 1, "%s: the script draws" % name)
                check_numbers(name, path, page)
            if name == "red":
                ok(page.js("document.querySelector('.result').classList.contains('worse')"), "a red gate is red")
                drive(page)
            if name == "blind":
                ok(page.js("document.querySelector('.result').classList.contains('quiet')"), "a blind gate is grey")
            if name == "one":
                ok("No verdict" in page.js("document.querySelector('h1').textContent"), "one run a side has no verdict")
            if name == "compare":
                notes = page.js("[...document.querySelectorAll('#notes li')].map(l => l.textContent.trim()[0])")
                ok("!" in notes and notes.index("!") == 0, "warnings are the first notes", notes)
                gone = page.js("[...document.querySelectorAll('td.verdict span')].filter(c => /GONE|NEW/.test(c.textContent)).map(c => c.className)")
                ok(gone and all("quiet" in c for c in gone), "NEW and GONE are grey", gone)
            if name == "suites":
                drive_suite(page)
            if name == "history":
                drive_history(page)
            page.media("print")
            page.size(1000)
            page.frame()
            ok(len(page.pdf(os.path.join(folder, name + ".pdf"))) > 5000, "%s: it prints" % name)
            ok(not page.events, "%s: no request, no message, no exception" % name, *page.events)
            page.close()
            still = Page(browser, "file://" + path, script=False)
            root = still.call("DOM.getDocument")["root"]["nodeId"]
            cells = still.call("DOM.querySelectorAll", nodeId=root, selector="td")["nodeIds"]
            ok(len(cells) >= 10 and not still.events, "%s: tables show without script" % name, len(cells), still.events)
            still.close()
        browser.close()
    print("1..%d" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
