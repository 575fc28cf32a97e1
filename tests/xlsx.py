"""A workbook against the CSV files of the same report, read with nothing but a zip and an XML reader.

usage: xlsx.py WORKBOOK SHEET=FILE.csv...

Each named sheet must have the columns and the rows of its file (of a comparison in another order, those that answer under heads such as
"base us"): texts as they are, numbers equal as numbers and stored as numbers, empty
fields as no cell. Below them only the rest and the total may follow. Every formula of the workbook, computed here, must give the number
that stands beside it. TAP-like lines of what was compared; exit status 1 after a difference.
"""
import csv
import math
import re
import sys
import xml.etree.ElementTree as ET
import zipfile

MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
LINK = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'


def unescape(text):
    """_x0041_ stands for a character."""
    return re.sub('_x([0-9A-Fa-f]{4})_', lambda m: chr(int(m.group(1), 16)), text)


def place(name):
    letters, digits = re.fullmatch(r'\$?([A-Z]+)\$?(\d+)', name).groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(digits) - 1, column - 1


class Workbook:
    """sheet name -> {(row, column): text or float}, and the formulas."""

    def __init__(self, path):
        self.sheets, self.formulas = {}, {}
        with zipfile.ZipFile(path) as z:
            assert z.testzip() is None
            for name in z.namelist():
                ET.fromstring(z.read(name))
            strings = [unescape(''.join(t.text or '' for t in si.iter(MAIN + 't')))
                       for si in ET.fromstring(z.read('xl/sharedStrings.xml')).iter(MAIN + 'si')]
            targets = {r.get('Id'): r.get('Target') for r in ET.fromstring(z.read('xl/_rels/workbook.xml.rels'))}
            for sheet in ET.fromstring(z.read('xl/workbook.xml')).iter(MAIN + 'sheet'):
                self.read(sheet.get('name'), ET.fromstring(z.read('xl/' + targets[sheet.get(LINK)])), strings)

    def read(self, name, root, strings):
        cells, formulas = {}, {}
        for cell in root.iter(MAIN + 'c'):
            value, formula, kind = cell.find(MAIN + 'v'), cell.find(MAIN + 'f'), cell.get('t')
            at = place(cell.get('r'))
            if value is None:
                continue
            cells[at] = strings[int(value.text)] if kind == 's' else float(value.text)
            assert kind in (None, 'n', 's'), kind
            assert kind == 's' or math.isfinite(cells[at]), (name, cell.get('r'), value.text)
            if formula is not None:
                formulas[at] = formula.text
        self.sheets[name], self.formulas[name] = cells, formulas

    def computed(self, name, formula):
        cells = self.sheets[name]
        whole = re.fullmatch(r'SUM\((\w+):(\w+)\)', formula)
        if whole:
            (top, column), (bottom, _) = place(whole.group(1)), place(whole.group(2))
            return math.fsum(cells.get((row, column), 0.0) for row in range(top, bottom + 1))
        text = re.sub(r'\$?[A-Z]+\$?\d+', lambda m: repr(cells[place(m.group())]), formula)
        assert re.fullmatch(r'[-+*/().0-9e ]+', text), formula
        return eval(text)


def check_formulas(book):
    wrong = count = 0
    for name, formulas in book.formulas.items():
        for at, formula in formulas.items():
            value = book.computed(name, formula)
            count += 1
            numbers = [book.sheets[name].get(place(m), 0.0) for m in re.findall(r'\$?[A-Z]+\$?\d+', formula)]
            scale = max([abs(value)] + [abs(n) for n in numbers if '-' in formula])
            if abs(value - book.sheets[name][at]) > 1e-8 * scale:
                wrong += 1
                print(name, at, formula, value, book.sheets[name][at])
    print('formulas: %d, %d wrong' % (count, wrong))
    return wrong


def file_names(cells):
    """Column of each name that the CSV file has: "base us" is time_base_us, "change %" time_change_pct."""
    names = {}
    answers = 'verdict' in [head for (row, _), head in cells.items() if row == 0]
    for (row, column), head in cells.items():
        answer = re.fullmatch(r'(?:(\S+) )?(base|new|change|low|high|q|verdict|difference)(?: (\S+))?', head) if row == 0 else None
        if answer and answers:
            measure, stat, unit = answer.groups()
            head = '_'.join([measure or 'time', stat] + ([] if unit is None else ['pct' if unit == '%' else unit]))
        if row == 0:
            assert head not in names, head
            names[head] = column
    return names


def differs(field, cell):
    if field == '':
        return cell is not None
    if isinstance(cell, float):
        try:
            return float(field) != cell
        except ValueError:
            return True
    return field != cell


def check_sheet(book, name, path):
    with open(path, encoding='utf-8', newline='') as f:
        rows = list(csv.reader(f))
    cells = book.sheets[name]
    wrong = numbers = 0
    names = file_names(cells)
    wrong += len(names) != len(rows[0])
    for r, row in enumerate(rows):
        for c, field in enumerate(row):
            cell = cells.get((r, names.get(rows[0][c]))) if r else rows[0][c] if rows[0][c] in names else None
            numbers += isinstance(cell, float)
            if differs(field, cell):
                wrong += 1
                if wrong < 5:
                    print(name, 'row', r, 'column', rows[0][c], repr(field), repr(cell))
    below = {r for r, _ in cells if r >= len(rows)}
    names = [cells.get((r, rows[0].index('op')), '') if 'op' in rows[0] else '' for r in sorted(below)]
    wrong += sum(not re.match(r'\[|all ops$|selected ops$', n) for n in names)
    print('%s: %d rows, %d columns, %d numbers, %d below, %d differences'
          % (name, len(rows) - 1, len(rows[0]), numbers, len(below), wrong))
    return wrong


def main():
    book = Workbook(sys.argv[1])
    wrong = check_formulas(book)
    for pair in sys.argv[2:]:
        name, path = pair.split('=', 1)
        wrong += check_sheet(book, name, path)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
