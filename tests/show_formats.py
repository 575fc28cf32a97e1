"""Prints files of every format so that people can read a change of them: text formats as they are, of a workbook a line per row, of a
page its data, a line per key, and its markup, a line per element of the text.

usage: show_formats.py FILE...
"""
import json
import re
import sys

from xlsx import Workbook


def show_workbook(path):
    for name, cells in Workbook(path).sheets.items():
        print('[%s]' % name)
        for row in sorted({r for r, _ in cells}):
            print('\t'.join(repr(cells[row, c]) if (row, c) in cells else ''
                            for c in range(1 + max(c for r, c in cells if r == row))))


def show_values(prefix, value):
    if isinstance(value, dict):
        for key, inner in value.items():
            show_values(prefix + '.' + key if prefix else key, inner)
    else:
        print(prefix, json.dumps(value))


def show_page(path):
    text = open(path, encoding='utf-8').read()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
    for key in ('version', 'formula', 'help', 'codes'):
        data.pop(key, None)
    show_values('', data)
    body = text[text.index('<main id="page">'):text.index('<script type="application/json"')]
    body = re.sub(r'stepstat \d[\d.]*', 'stepstat VERSION', body)
    print(re.sub(r'(</(?:p|h1|h2|h3|dl|ul|li|tr|section|nav|thead|table|svg|dt|dd)>)', r'\1\n', body), end='')


for path in sys.argv[1:]:
    print('==== ' + path)
    if path.endswith('.xlsx'):
        show_workbook(path)
    elif path.endswith('.html'):
        show_page(path)
    else:
        print(open(path, encoding='utf-8').read(), end='')
