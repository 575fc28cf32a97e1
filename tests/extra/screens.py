"""What tables for people must hold to, read back from the screen: letters in the table are those of the notes below it, and
rows have different names, and strips take the place of no column.

usage: screens.py STEPSTAT [--widths=40,80,120] [--jobs=N] INPUT...

Every input with several sets of options, as text in each width and as Markdown; each two inputs in a row are compared. Inputs that
stepstat refuses are counted. TAP on standard output.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

REPORTS = [[], ["--stats=mean,share"], ["--top=3"], ["--top=all"], ["--by=type"], ["--by=class"], ["--on=host"], ["--stats=mean,cv,ran"],
           ["--value=total"], ["--absent=skip"], ["--per-run"], ["--by=launcher"], ["--per=call"], ["--sort=name", "--top=5"],
           ["--measures=cpu", "--stats=cv,mean"]]
COMPARES = [[], ["--top=3"], ["--by=type"], ["--kind=all", "--top=all"], ["--margin=0.1%", "--run-cv=0.5%"]]
# A letter stands behind a number in per cent, or behind the words of a verdict.
IN_TEXT = re.compile(r"(?:%|(?:REGRESSED|IMPROVED|SLOWER|FASTER|SAME|INCONCLUSIVE|NEW|GONE|MORE|LESS|exact|\)) )([a-z]{1,3})(?= |$)")
IN_MARKDOWN = re.compile(r" \(([a-z]{1,3})\) \|")


def parts_of_text(text):
    """Lines of the table, and the letters of the notes."""
    blocks = re.split(r"\n\n+", text)
    notes = re.compile(r"^(?:[a-z]{1,3} +|[!\u00b7] +)\S")
    letters, table = [], []
    for block in blocks:
        lines = block.split("\n")
        # A note goes on in indented lines.
        if notes.match(lines[0]) and all(notes.match(line) or line.startswith(" ") for line in lines):
            letters += [line.split()[0] for line in lines if re.match(r"[a-z]{1,3} +\S", line)]
        elif re.search(r"^(?:all |\[)", block, re.M):
            table = lines
    return table, letters


def parts_of_markdown(text):
    return ([line for line in text.split("\n") if line.startswith("|")],
            [match[1] for match in re.finditer(r"^- \(([a-z]{1,3})\) ", text, re.M)])


def wrong_marks(lines, letters, pattern):
    # Letters stand together where a row has several notes.
    marks = {letter for line in lines for match in pattern.finditer(line) for letter in match[1]}
    notes = {letter for word in letters for letter in word}
    found = ["the note %s has no mark in the table" % letter for letter in sorted(notes - marks)]
    return found + ["the mark %s has no note" % letter for letter in sorted(marks - notes)]


def same_names(lines, several_runs):
    """Names of rows that stand there twice. Columns are two blanks apart."""
    seen, twice = set(), []
    for line in lines:
        if not line.strip() or line.startswith(" "):
            continue
        name = "  ".join(line.split("  ")[:1]).rstrip()
        if name in seen and not several_runs:
            twice.append("two rows are called %r" % name)
        seen.add(name)
    return twice


def run(stepstat, options, width, keys=""):
    environment = dict(os.environ, COLUMNS=str(width), LC_ALL="C")
    result = subprocess.run([stepstat] + options + ["--config=/dev/stdin"], capture_output=True, text=True, env=environment,
                            errors="replace", input=keys)
    if not 0 <= result.returncode <= 4:
        sys.exit("not ok - status %d: COLUMNS=%d %s" % (result.returncode, width, " ".join(options)))
    return result.stdout if result.returncode in (0, 1) else None


STRIP_TITLE = re.compile(r"^(?:steps|-[\d.]+%|0|\+[\d.]+%)$")


def titles(table):
    return [word for word in re.split(r"  +", table[0].strip()) if not STRIP_TITLE.match(word)] if table else []


def check(stepstat, options, widths):
    wrong, read = [], 0
    for width in widths:
        head = None
        for bars in ("never", "always"):
            text = run(stepstat, options, width, "report: {bars: %s}" % bars)
            if text is None:
                return wrong, read
            read += 1
            table, letters = parts_of_text(text)
            found = wrong_marks(table, letters, IN_TEXT) + same_names(table, "--per-run" in options)
            if head is not None and titles(table) != head:
                found.append("columns %s became %s" % (head, titles(table)))
            if any(len(line) > width for line in table) and head is not None and not too_wide:
                found.append("the table became wider than the screen")
            head, too_wide = titles(table), any(len(line) > width for line in table)
            wrong += ["%d columns, bars: %s: %s" % (width, bars, what) for what in found]
    text = run(stepstat, options + ["--to=md"], 80)
    if text is None:
        return wrong + ["Markdown is refused, text is not"], read
    table, letters = parts_of_markdown(text)
    wrong += ["Markdown: " + what for what in wrong_marks(table, letters, IN_MARKDOWN)]
    return wrong, read


def main():
    stepstat, inputs, widths, jobs = sys.argv[1], [], [40, 60, 80, 100, 120, 160, 200], 1
    for word in sys.argv[2:]:
        if word.startswith("--widths="):
            first, _, last = word[9:].partition(":")
            widths = list(range(int(first), int(last) + 1)) if last else [int(width) for width in word[9:].split(",")]
        elif word.startswith("--jobs="):
            jobs = int(word[7:])
        else:
            inputs.append(word)
    tasks = [(path, [["report", path] + options for options in REPORTS]) for path in inputs]
    tasks += [("%s, %s" % (a, b), [["compare", a, b] + options for options in COMPARES]) for a, b in zip(inputs, inputs[1:] + inputs[:1])]
    failed = tables = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(task):
            return [(options, check(stepstat, options, widths)) for options in task[1]]
        for number, (task, results) in enumerate(zip(tasks, pool.map(one, tasks)), 1):
            wrong = [(options, what) for options, (found, _) in results for what in found]
            read = sum(count for _, (_, count) in results)
            tables += read
            failed += bool(wrong)
            print("%sok %d - %s%s" % ("not " if wrong else "", number, task[0], "" if read else " # SKIP refused"))
            for options, what in wrong[:12]:
                print("# %s: %s" % (" ".join(options), what))
            sys.stdout.flush()
    print("# %d tables" % tables)
    print("1..%d" % len(tasks))
    return 1 if failed else 0


sys.exit(main())
