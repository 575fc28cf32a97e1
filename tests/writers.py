"""The same report in every format, read back and compared number by number.

usage: writers.py report|compare|gate WORDS... (of stepstat, without outputs)

The CSV is what the others are held against; that its numbers are right is shown elsewhere. JSON, OpenMetrics and the workbook must have the
same numbers; the data of the page the same to six significant digits, and its steps those of `stepstat export`; what people read (text,
Markdown, the table in the page) the same within its own rounding. Prints how many numbers of each were compared; exit status 1 after
a difference.
"""
import atexit
import csv
import html.parser
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import openmetrics
from xlsx import Workbook, file_names

UNITS = {'ps': 1e-6, 'ns': 1e-3, 'us': 1, 'ms': 1e3, 's': 1e6, 'B': 1, 'KB': 1e3, 'MB': 1e6, 'GB': 1e9, '%': 1, '': 1}
wrong = []


def differ(what, *values):
    wrong.append(what)
    if len(wrong) <= 20:
        print('differs:', what, *values)


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same(a, b):
    return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-15, abs_tol=0))


def check_json(rows, made):
    count = 0
    data = json.load(open(made['json']))['rows']
    if len(data) != len(rows):
        differ('rows of JSON', len(data), len(rows))
    for have, row in zip(data, rows):
        for name, text in row.items():
            value = have[name]
            if isinstance(value, str) or value is None:
                if (value or '') != text:
                    differ('json', name, value, text)
            elif number(text) != value:
                differ('json', name, value, text)
            else:
                count += 1
    return count


def check_workbook(rows, made, sheet):
    count = 0
    cells = Workbook(made['xlsx']).sheets[sheet]
    column = file_names(cells)
    for r, row in enumerate(rows):
        for name, text in row.items():
            value = cells.get((r + 1, column[name]))
            if isinstance(value, float):
                count += 1
                if not same(number(text), value):
                    differ('xlsx', name, value, text)
            elif (value or '') != text:
                differ('xlsx', name, value, text)
    return count


def check_openmetrics(rows, made):
    """Each number of the CSV once, in the unit of its family."""
    count = 0
    samples = {(name, frozenset(labels.items())): (words.get('UNIT'), value) for name, (words, found) in
               openmetrics.read(open(made['prom'], 'rb').read()).items() for labels, value in found}
    units = {'us': ('seconds', 1e-6), 'bytes': ('bytes', 1), 'pct': ('ratio', 0.01)}
    for row in rows:
        labels = frozenset((name, row[name]) for name in ('run', 'op', 'type', 'device') if row.get(name))
        for column, text in row.items():
            if number(text) is None or column in ('run', 'op', 'type', 'device', 'short', 'notes'):
                continue
            stem, _, unit = column.rpartition('_')
            unit, factor = units.get(unit, (None, 1))
            have = samples.pop(('stepstat_ops_' + (stem + '_' + unit if unit else column), labels), (None, None))
            count += 1
            if have[0] != unit or have[1] is None or not math.isclose(have[1], float(text) * factor, rel_tol=1e-11, abs_tol=0):
                differ('openmetrics', column, dict(labels), have, text)
    for name, labels in samples:
        if name.startswith('stepstat_ops_'):
            differ('openmetrics has more', name, labels)
    return count


class Page(html.parser.HTMLParser):
    """The data of the page, and the head and the lines of its table of rows without script."""

    def __init__(self, path):
        super().__init__()
        self.data, self.head, self.lines = '', [], []
        self.into = None
        self.inside = self.mark = self.of_rows = False
        self.feed(open(path, encoding='utf-8').read())
        self.data = json.loads(self.data)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == 'section':
            self.of_rows = attributes.get('id') in ('ops', 'rows')
        elif tag == 'tr' and self.of_rows:
            self.lines.append([])
        elif tag in ('td', 'th') and self.of_rows:
            self.into = self.head if tag == 'th' else self.lines[-1]
            self.into.append('')
        elif tag == 'b':
            self.mark = True
        elif tag == 'script':
            self.inside = attributes.get('id') == 'data'

    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.into = None
        self.mark &= tag != 'b'
        self.inside &= tag != 'script'

    def handle_data(self, text):
        if self.inside:
            self.data += text
        elif self.into is not None and not self.mark:
            self.into[-1] += text


FIELDS = {'mean': 'time_mean_us', 'low': 'time_low_us', 'high': 'time_high_us', 'sd': 'time_sd_us', 'cv': 'time_cv_pct',
          'cvrun': 'time_cvrun_pct', 'min': 'time_min_us', 'median': 'time_median_us', 'max': 'time_max_us',
          'share': 'time_share_pct', 'jitter': 'time_jitter_pct', 'ran': 'ran', 'steps': 'steps', 'second': 'requested_mean_bytes'}


def check_page(rows, page, words):
    """Six digits of each number; every step as it is exported."""
    count = 0
    data = page.data
    names = data['series']
    of = {row['op']: row for row in rows}
    several = len([value for value in data['runs']['value'] if value is not None]) > 1
    for i, op in enumerate(names['op']):
        for field, column in FIELDS.items():
            if field not in names or column not in of[op] or (field == 'sd' and several):
                continue
            have = names[field][i] if isinstance(names[field], list) else names[field]
            want = number(of[op][column])
            if (have is None) != (want is None) or (want is not None and have != float('%.6g' % want)):
                differ('page', op, field, have, want)
            count += want is not None
    if len(of) != len(names['op']):
        differ('rows of the page', len(names['op']), len(of))
    return count + (check_steps(data, words) if 'ranks' not in data else 0)


def check_steps(data, words):
    count = 0
    words = [w for w in words if not w.startswith('--warmup')]  # left-out steps are in the page, too
    made = subprocess.run(['stepstat', 'export', *words, '--to=csv', '--measures=time'], capture_output=True, text=True, check=True).stdout
    want = {(o['run'], int(o['step']), o['op']): float(o['value']) for o in csv.DictReader(made.splitlines())}
    runs = data['runs']
    of_step = [name for name, kept, left in zip(runs['run'], runs['steps'], runs['left_out']) for _ in range(kept + left)]
    steps = list(zip(of_step, data['levels']['step'], strict=True))
    runs = data['levels']['run']
    runs = [runs['words'][i] for i in runs['at']] if isinstance(runs, dict) else [runs] * len(steps)
    if [run for run, _ in steps] != runs:
        differ('runs of the steps', runs)
    for op, series in zip(data['series']['op'], data['series']['values']):
        for (run, step), value in zip(steps, series):
            exported = want.get((run, step, op))
            if (value is None) != (exported is None):
                differ('step of the page', op, run, step, value, exported)
            elif value is not None:
                count += 1
                if value != float('%.6g' % exported):
                    differ('step of the page', op, run, step, value, exported)
    for (run, n), total in zip(steps, data['levels']['total']):
        exported = math.fsum(v for (name, step, _), v in want.items() if name == run and step == n)
        if not math.isclose(total, exported, rel_tol=1e-5):
            differ('total of a step of the page', run, n, total, exported)
        count += 1
    return count


# What a heading in a table for people is called in files; the last part of a cell is its unit.
HEADS = {'time/step': 'time_mean_us', 'share': 'time_share_pct', 'CV': 'time_cv_pct', 'CV step': 'time_cv_pct',
         'CV run': 'time_cvrun_pct', 'jitter': 'time_jitter_pct', 'requested': 'requested_mean_bytes', 'calls': 'calls',
         'base': 'time_base_us', 'new': 'time_new_us', 'change': 'time_change_pct', 'q': 'time_q', 'ms/step': None}


def check_cell(where, text, column, row):
    text = text.replace('\u2212', '-').replace('\u00a0\u00b5s', ' us').replace('\u00a0%', ' %').replace('\u2009', '')
    found = re.fullmatch(r'([-+]?[0-9.]+) ?([a-zA-Z%]*)[a-z]?', text)
    if not found or row.get(column, '') == '':
        return 0
    digits, unit = found.groups()
    if unit not in UNITS:
        unit = unit[:-1]
    factor = UNITS[unit]
    decimals = len(digits.partition('.')[2])
    if abs(float(digits) - float(row[column]) / factor) > 0.5001 * 10 ** -decimals:
        differ(where, column, text, row[column])
    return 1


def check_table(where, head, lines, rows):
    """Rows in the order of the file; what is not a row of it ([other], all ops) is passed over."""
    count = 0
    of = {}
    for row in rows:
        of.setdefault(row['op'], row)
    for line in lines:
        row = line and of.get(line[0])
        if not row or len(line) != len(head):
            continue
        for title, text in zip(head, line):
            column = HEADS.get(title)
            if column:
                count += check_cell(where, re.sub(r' \([a-z]+\)$', '', text), column, row)
    return count


def markdown_tables(path):
    """(heading, lines) of each table; code spans are what is in them."""
    tables, head = [], None
    for line in open(path, encoding='utf-8'):
        if not line.startswith('| '):
            head = None
            continue
        cells = [c.strip().strip('`').replace('\\|', '|') for c in re.split(r'(?<!\\)\|', line.strip())[1:-1]]
        if head is None:
            head = cells
            tables.append((head, []))
        elif not set(cells[0]) <= set(':-'):
            tables[-1][1].append(cells)
    return tables


def text_table(path):
    """Columns are where the heading's words end or begin, two blanks apart."""
    lines = open(path, encoding='utf-8').read().split('\n')
    at = next(i for i, line in enumerate(lines) if re.match(r'(op|type|class|kernel)\b.*  ', line))
    head = re.split(r' {2,}', lines[at].strip())
    rows = []
    for line in lines[at + 1:]:
        if not line.strip():
            break
        rows.append(re.split(r' {2,}', re.sub(r'\[ +', '[', line).replace(',  ', ', ').strip()))
    return head, [[re.sub(r'(%|ms|us|s|B)[a-z]+$', r'\1', c) for c in row] for row in rows]


def main():
    command, words = sys.argv[1], sys.argv[2:]
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    made = {suffix: os.path.join(folder, 'made.' + suffix) for suffix in ('csv', 'json', 'xlsx', 'md', 'html', 'txt', 'prom')}
    outputs = [w for path in made.values() for w in ('-o', path)]
    done = subprocess.run(['stepstat', command, *words, '--config=/dev/stdin', '--quiet', *outputs], input=b'report: {names: full}')
    if done.returncode not in (0, 1 if command == 'gate' else 0):
        sys.exit(done.returncode)
    rows = list(csv.DictReader(open(made['csv'], encoding='utf-8')))
    page = Page(made['html'])
    counts = {'json': check_json(rows, made),
              'openmetrics': check_openmetrics(rows, made),
              'xlsx': check_workbook(rows, made, 'ops' if command == 'report' else 'compare'),
              'md': sum(check_table('md', head, lines, rows) for head, lines in markdown_tables(made['md'])),
              'txt': check_table('txt', *text_table(made['txt']), rows)}
    if command == 'report':
        counts['page'] = check_page(rows, page, words)
        counts['its table'] = check_table('table of the page', page.head, page.lines, rows)
    else:
        counts['page'] = check_compared(rows, page)
    for name, count in counts.items():
        if not count:
            differ('nothing compared in ' + name)
    print(', '.join('%s %d' % item for item in counts.items()))
    sys.exit(1 if wrong else 0)


def check_compared(rows, page):
    """The data of a page of two sides: the numbers of each measure, six digits."""
    count = 0
    of = {row['op']: row for row in rows}
    columns = {'base': 'base', 'new': 'new', 'change': 'change_pct', 'low': 'low_pct', 'high': 'high_pct', 'p': 'p', 'q': 'q'}
    ops = page.data['ops']
    for measure in (m['name'] for m in page.data['measures']):
        unit = {'time': '_us'}.get(measure, '_bytes')
        for field, end in columns.items():
            column = measure + '_' + end + (unit if end in ('base', 'new') else '')
            values = ops[measure + '_' + field]
            for op, have in zip(ops['op'], values if isinstance(values, list) else [values] * ops['rows']):
                want = number(of[op].get(column, '')) if op in of else None
                if want is None and have is None:
                    continue
                count += 1
                if want is None or have is None or have != float('%.6g' % want):
                    differ('page', op, column, have, want)
    return count


main()
