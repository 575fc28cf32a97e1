"""Pages of compare and gate in a headless Chromium without network: what a reader does, and what nobody may do.

usage: pages_compare.py STEPSTAT

TAP on standard output; all is skipped, aloud, where there is no Chromium.
"""
import csv
import json
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

WIDTHS = [360, 420, 760, 1000, 1280, 1920]
HOSTILE = ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "'); alert(1); ('", "${alert(1)}",
           "&lt;i&gt;", "a\u2028b", "\u202egnp.exe", "__proto__", "constructor", "x" * 900, "REGRESSED, SAME", "'$(touch x)`touch y`"]
PLAIN = [("conv1/Conv2D", 4000), ("conv2/Conv2D", 6000), ("grad/Conv2D", 5000), ("input/Decode", 1500), ("loss/Softmax", 150), ("input/Shuffle", 300)]
count = failed = 0


def ok(good, what, *why):
    global count, failed
    count += 1
    if not good:
        failed += 1
        for line in why:
            print("# %s" % str(line)[:600])
    print("%sok %d - %s" % ("" if good else "not ", count, what), flush=True)


def table(path, ops, runs, seed, factor=None, sd=0.02, memory=None):
    source = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["run", "step", "op", "type", "time_us", "requested_bytes"])
        for run in range(runs):
            for step in range(10):
                for name, time in ops:
                    value = time * (factor or {}).get(name, 1) * max(0.1, source.gauss(1, sd))
                    out.writerow(["run %d" % run, step, name, name[:9], "%.3f" % value, (memory or {}).get(name, 1000000)])


def states(stepstat, folder):
    """Name -> page, and for each the exit status that the command must have."""
    def path(name):
        return os.path.join(folder, name)

    hostile = [(name, 1000 * (i + 1)) for i, name in enumerate(HOSTILE)]
    table(path("base.csv"), PLAIN, 5, 1)
    table(path("new.csv"), PLAIN[:-1] + [("optim/Clip", 420)], 5, 2, {"grad/Conv2D": 1.1, "input/Decode": 0.87}, memory={"conv2/Conv2D": 1200000})
    table(path("same.csv"), PLAIN, 5, 3)
    table(path("one_base.csv"), PLAIN, 1, 4)
    table(path("one_new.csv"), PLAIN, 1, 5)
    table(path("noisy_base.csv"), PLAIN, 3, 6, sd=0.6)
    table(path("noisy_new.csv"), PLAIN, 2, 7, sd=0.6)
    table(path("odd_base.csv"), hostile, 4, 8)
    table(path("odd_new.csv"), hostile + [("<i>new</i>", 900)], 4, 9, {HOSTILE[0]: 1.5, HOSTILE[11]: 1.6})
    wanted = {"compare": ("compare", "base.csv", "new.csv", 0), "red": ("gate", "base.csv", "new.csv", 1), "same": ("compare", "base.csv", "same.csv", 0),
              "one": ("compare", "one_base.csv", "one_new.csv", 0), "blind": ("gate", "noisy_base.csv", "noisy_new.csv", 4),
              "hostile": ("compare", "odd_base.csv", "odd_new.csv", 0), "memory": ("compare", "base.csv", "new.csv", 0, "--measures=requested")}
    for name, (command, base, new, status, *options) in wanted.items():
        done = subprocess.run([stepstat, command, base, new, *options, "-o", name + ".html"], cwd=folder, capture_output=True, text=True)
        ok(done.returncode == status, "%s: exit status %d" % (name, status), done.returncode, done.stderr)
    return {name: path(name + ".html") for name in wanted}


def drive(page, where, browser):
    rows = page.js("document.querySelectorAll('#opstable tr[data-i]').length")
    ok(rows > 0, "the table has rows", rows)
    page.click("#filter")
    page.type("grad")
    ok(page.js("document.querySelectorAll('#opstable tr[data-i]').length") == 1, "the filter leaves what matches")
    page.js("(() => { const f = document.querySelector('#filter'); f.value = ''; f.dispatchEvent(new Event('input')); })()")
    page.js("new Promise(r => setTimeout(r, 150))")
    first = page.js("document.querySelector('#opstable tr[data-i] .name').title")
    page.js("[...document.querySelectorAll('#opstable th button')].find(b => /change/.test(b.textContent)).click()")
    changes = page.js("[...document.querySelectorAll('#opstable tr[data-i]')].map(r => JSON.parse(document.querySelector('#data').textContent).m.time.change[r.dataset.i])")
    known = [x for x in changes if x is not None]
    ok(known == sorted(known, reverse=True), "a click on a head sorts", changes)
    page.click(".chips .btn")
    ok(page.js("[...document.querySelectorAll('#opstable tr[data-i] .verdict')].every(v => /REGRESSED/.test(v.textContent))"), "a verdict shows only its rows")
    page.click(".chips .btn")
    page.click("#opstable tr[data-i] .name")
    ok(page.js("!document.querySelector('#dock').hidden && document.querySelectorAll('#dock dt').length > 5 && !!document.querySelector('#dock svg')"),
       "a click opens the row with numbers and runs", first)
    ok("--explain=" in page.js("document.querySelector('#dock pre').textContent"), "the dock has the command")
    page.key("Escape")
    ok(page.js("document.querySelector('#dock').hidden"), "Escape closes the dock")
    page.click("#fall g")
    page.js("[...document.querySelectorAll('#tools .seg .btn')].find(b => b.textContent === 'requested').click()")
    ok(page.js("[...document.querySelectorAll('#opstable tr[data-i] .verdict')].some(v => /REGRESSED|MORE/.test(v.textContent))"), "another measure has its verdicts")
    page.js("(() => { const u = document.querySelector('#unit'); u.value = 'pct'; u.dispatchEvent(new Event('change')); })()")
    ok(page.js("/% of base/.test(document.querySelector('#opstable thead').textContent)"), "the unit can be a share of base")


def main():
    binary = find_browser()
    if not binary:
        print("1..0 # SKIP no Chromium")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pages = states(os.path.abspath(sys.argv[1]), folder)
        browser = Browser(binary)
        for name, path in pages.items():
            page = Page(browser, "file://" + path)
            ok(not page.events, "%s: no request, no message, no exception" % name, *page.events)
            ok(page.js("document.scripts.length") == 2 and not page.js("!!document.querySelector('#page img, #page i, #page script')"),
               "%s: no name became markup" % name)
            ok(not page.js("document.documentElement.outerHTML.includes('NaN')"), "%s: no number that is none" % name)
            bad = []
            for width in WIDTHS:
                page.size(width)
                page.js("new Promise(r => setTimeout(r, 60))")
                if page.js("document.documentElement.scrollWidth") > width:
                    bad.append((width, page.js("document.documentElement.scrollWidth")))
            ok(not bad, "%s: as wide as the window" % name, bad)
            page.size(1280)
            page.frame()
            if name == "red":
                ok(page.js("document.querySelector('p.gate').classList.contains('worse')"), "a red gate is red")
                drive(page, name, browser)
                ok(not page.events, "driven without a message", *page.events)
            if name == "blind":
                ok(page.js("document.querySelector('p.gate').classList.contains('dim')"), "a blind gate is grey")
            if name == "one":
                ok("No verdict" in page.js("document.querySelector('h1').textContent"), "one run a side has no verdict")
            page.close()
            still = Page(browser, "file://" + path, script=False)
            drawn = still.call("DOM.querySelectorAll", nodeId=still.call("DOM.getDocument")["root"]["nodeId"], selector="#opstable td svg, #runs svg, #fall svg")
            ok(len(drawn["nodeIds"]) >= 3, "%s: plots show without script" % name, drawn)
            still.close()
        browser.close()
    print("1..%d" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
