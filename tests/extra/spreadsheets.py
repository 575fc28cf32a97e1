"""Sheets as another program sees them, against stepstat's CSV (tests/extra/spreadsheets.sh).

usage: spreadsheets.py openpyxl|pandas|office BOOK.xlsx:SHEET=FILE.csv...
       spreadsheets.py again BOOK.xlsx...      again/BOOK.xlsx is BOOK.xlsx, opened and saved by LibreOffice
       spreadsheets.py alone BOOK.xlsx SHEET OUT.xlsx      the book with one sheet that is shown
       spreadsheets.py pages MOST FILE.pdf...      each has at most so many pages
"""
import csv
import os
import re
import sys
import warnings
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from xlsx import Workbook  # noqa: E402

BOOKS = {}
# LibreOffice writes at most 20 decimals into CSV; its own workbooks are compared to the last digit.
OFFICE_LEAST = 1e-20
# A sheet of a comparison begins with what is read first, under short heads; the CSV has the same columns in its own order.
HEADS = {'base us': 'time_base_us', 'new us': 'time_new_us', 'change %': 'time_change_pct', 'low %': 'time_low_pct', 'high %': 'time_high_pct',
         'q': 'time_q', 'verdict': 'time_verdict', 'difference us': 'time_difference_us'}


def rows_of_csv(path):
    with open(path, encoding='utf-8', newline='') as f:
        return list(csv.reader(f))


def rows_of_openpyxl(book, sheet):
    import openpyxl
    if book not in BOOKS:
        BOOKS[book] = openpyxl.load_workbook(book, data_only=True)
    return [list(row) for row in BOOKS[book][sheet].iter_rows(values_only=True)]


def rows_of_pandas(book, sheet):
    import pandas
    table = pandas.read_excel(book, sheet_name=sheet, keep_default_na=False, na_values=[''])
    for name in table.columns:
        body = table[name].iloc[:-3]
        if str(name).endswith(('_us', '_pct', '_bytes')) and len(body):
            assert body.dtype.kind in 'fi', (sheet, name, body.dtype)
    return [list(table.columns)] + [[None if value != value else value for value in row] for row in table.values.tolist()]


def rows_of_office(book, sheet):
    return rows_of_csv(os.path.join('office', '%s-%s.csv' % (os.path.basename(book)[:-5], sheet)))


def same(field, value, is_text):
    if field == '':
        return value in (None, '')
    if is_text and isinstance(value, str):
        try:
            return value == field or abs(float(value) - float(field)) <= OFFICE_LEAST
        except ValueError:
            return False
    if isinstance(value, str):
        return value == field
    return float(field) == float(value)


def in_order_of(want, got):
    """The rows of a sheet with the columns in the order of the CSV's."""
    heads = [HEADS.get(name, name) for name in got[0]]
    if heads == want:
        return got
    assert len(set(heads)) == len(heads) and set(want) == set(heads) - {''}, (sorted(set(want) ^ set(heads)))
    return [want] + [[row[heads.index(name)] for name in want] for row in got[1:] if len(row) == len(heads)]


def compare(reader, pairs):
    wrong = 0
    for pair in pairs:
        at, path = pair.split('=', 1)
        book, sheet = at.split(':', 1)
        want = rows_of_csv(path)
        got = in_order_of(want[0], globals()['rows_of_' + reader](book, sheet))
        numbers = bad = 0
        for r, row in enumerate(want):
            for c, field in enumerate(row):
                value = got[r][c] if r < len(got) and c < len(got[r]) else None
                numbers += not isinstance(value, str) and value is not None or (reader == 'office' and r > 0 and field[:1].isdigit())
                if not same(field, value, reader == 'office'):
                    bad += 1
                    if bad < 4:
                        print(at, r, want[0][c], repr(field), repr(value))
        print('%s: %d rows, %d numbers, %d differences' % (at, len(want) - 1, numbers, bad))
        wrong += bad
    return wrong


def again(books):
    wrong = 0
    for book in books:
        before, after = Workbook(book), Workbook(os.path.join('again', book))
        assert list(before.sheets) == list(after.sheets)
        count = 0
        for name, cells in before.sheets.items():
            kept = after.sheets[name]
            for at, value in cells.items():
                other = kept.get(at)
                if isinstance(value, float):
                    # Formulas are computed again.
                    near = 1e-9 * max(1, abs(value)) if at in before.formulas[name] else 0
                    good = isinstance(other, float) and abs(other - value) <= near
                else:
                    good = other == value
                count += 1
                if not good:
                    wrong += 1
                    print(book, name, at, repr(value), repr(other))
            missing = set(before.formulas[name]) - set(after.formulas[name])
            wrong += len(missing)
        with zipfile.ZipFile(os.path.join('again', book)) as z:
            charts = [n for n in z.namelist() if n.startswith('xl/charts/chart')]
            filters = sum(b'<autoFilter' in z.read(n) for n in z.namelist() if n.startswith('xl/worksheets/sheet'))
        formulas = sum(len(f) for f in after.formulas.values())
        print('%s: %d cells, %d formulas, %d charts, %d filters' % (book, count, formulas, len(charts), filters))
        wrong += not charts or not filters or not formulas
    return wrong


def alone(book, sheet, out):
    """What is hidden is not printed, unless it has an area of its own."""
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(out, 'w') as new:
        for name in old.namelist():
            data = old.read(name)
            if name == 'xl/workbook.xml':
                names = re.findall(rb'<sheet name="([^"]*)"', data)
                at = names.index(sheet.encode())
                data = re.sub(rb'(<sheet name="(?!%s")[^"]*")( state="\w+")?' % re.escape(names[at]), rb'\1 state="hidden"', data)
                data = re.sub(rb'<definedNames>.*</definedNames>', b'', data, flags=re.S)
                data = re.sub(rb'<workbookView [^>]*/>', b'<workbookView activeTab="%d"/>' % at, data)
            new.writestr(name, data.replace(b' tabSelected="1"', b''))
    return 0


def pages(most, paths):
    wrong = 0
    for path in paths:
        with open(path, 'rb') as file:
            count = len(re.findall(rb'/Type\s*/Page\b', file.read()))
        print('%s: %d pages' % (path, count))
        wrong += not 1 <= count <= most
    return wrong


def main(mode, *args):
    if mode == 'alone':
        return alone(*args)
    if mode == 'pages':
        return pages(int(args[0]), args[1:])
    return again(args) if mode == 'again' else compare(mode, args)


if __name__ == '__main__':
    warnings.simplefilter('error')
    sys.exit(1 if main(*sys.argv[1:]) else 0)
