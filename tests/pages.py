"""Pages of golden inputs in a headless Chromium; usage: pages.py STEPSTAT TOP. Called by pages.sh."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TOP = os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(TOP, "tests/extra"))
from devtools import Browser, find_browser  # noqa: E402

# Selectors that each page must have as often as the expression over its data says.
STEPS = ("#steps-plot .mark", "d.levels.rows + d.levels.level.filter(l => l !== null).length")
ROWS = ("#ops-table tr[data-i]:not([hidden]) td[data-plot=dots] svg", "[...document.querySelectorAll('#ops-table tr[data-i]')].filter(r => !r.hidden).length")
# Columns of which all rows are alike stand alone, texts that come again are indexes of words.
UNFOLD = """d => { for (const t of Object.values(d)) for (const k in t?.rows ? t : {}) if (k !== 'rows' && !Array.isArray(t[k]))
  t[k] = t[k]?.words ? t[k].at.map(i => t[k].words[i]) : Array(t.rows).fill(t[k]); return d; }"""
PAGES = [
    (["report", "examples/resnet_tower"], [STEPS, ROWS, ("#scatter-plot circle", "d.series.share.filter((s, i) => s > 0 && d.series.cv[i] > 0).length")]),
    (["report", "tests/data/ranks/nccl"], [STEPS, ("#ranks-plot rect title", "d.ranks.rows * d.excess.steps[0].length"),
                                           ("#devices-plot rect title", "d.parts.of.filter((of, i) => of === 'window' && d.parts.part[i] !== 'idle' || of === 'idle').length")]),
    (["compare", "examples/ci/base", "examples/ci/new"], [("#rows-table tr[data-i]:not([hidden]) td[data-plot] svg",
                                                           "[...document.querySelectorAll('#rows-table tr[data-i]')].filter(r => !r.hidden).length")]),
    (["history", "tests/data/store/nights.csv", "tests/data/store/later.csv"], [
        ("#rows-table td[data-plot] svg .level", "d.display.rows"), ("#rows-table td[data-plot] svg .change", "d.data.place.filter(p => p !== null).length")]),
]


def main():
    path = find_browser()
    if not path:
        print("1..0 # SKIP no Chromium, so no page was opened")
        return 0
    browser, number, failed = Browser(path), 0, 0
    stepstat = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="stepstat-pages-") as folder:
        for command, wanted in PAGES:
            file = os.path.join(folder, "page.html")
            subprocess.run([stepstat, *command, "--quiet", "-o", file], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
            page = browser.open("file://" + file, width=1400)
            why = list(page.events)
            for selector, count in wanted:
                got = page.js("document.querySelectorAll(%r).length" % selector)
                want = page.js("(d => %s)((%s)(JSON.parse(document.querySelector('#data').textContent)))" % (count, UNFOLD))
                if got != want or not want:
                    why.append("%s: %s, expected %s" % (selector, got, want))
            number += 1
            failed += bool(why)
            for line in why:
                print("# " + str(line)[:300])
            print("%sok %d - the page of %s draws all there is" % ("not " if why else "", number, " ".join(command)))
            page.close()
    browser.close()
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
