// The table of changes, of ops and of benchmarks: a forest in each row, the row in detail, and rows
// that C left out because they are many.
import { element } from './dom.mjs';
import { get, set } from './state.mjs';
import { Table } from './table.mjs';
import { rowOf, rowDetail } from './rowdetail.mjs';
import { quantity, change, interval, probability, nameParts } from './format.mjs';
import { lookOf } from './verdict.mjs';
import { forestScale, drawForestHead, drawForest } from '../plots/forest.mjs';

function nameCell(name, short) {
  const [dim, last] = nameParts(short);
  const scope = dim ? [element('span', { class: 'dim' }, dim)] : [];
  return element('td', { class: 'name' }, element('span', { class: 'cut', title: name }, ...scope,
    element('span', { class: 'last' }, last)));
}

function verdictCell(row) {
  const [mark, look] = lookOf(row.verdict);
  const word = row.verdict ? [element('span', {}, `${mark} ${row.verdict}`)] : [];
  if (row.mark) word.push(element('sup', {}, row.mark));
  if (row.note) word.push(' ', element('small', {}, row.note));
  return element('td', { class: `verdict ${look}` }, ...word);
}

// As C makes a row, cell by cell in the order of the heads; times are filled in by the table.
function makeRow(rows, i, heads) {
  const row = rowOf(rows, i);
  const number = (head, text) => element('td', { class: 'n', 'data-h': head }, text);
  const bounds = row.low === null || row.high === null ? '' : interval(row.low, row.high);
  const q = row.evidence === 'exact' ? 'exact' : probability(row.q);
  const made = heads.map(({ key, kind, plot, th }) => {
    if (key === 'name') return nameCell(row.name, row.short || row.name);
    if (key === 'verdict') return verdictCell(row);
    if (key === 'measure') return element('td', { class: 'wide' }, row.measure);
    if (kind === 'time') return element('td', { class: 'n', 'data-key': key, 'data-h': key });
    if (kind === 'count') return number(key, row[key] === null ? '' : quantity(row[key], row.unit));
    if (key === 'change') return number('change %', row.change === null ? '' : change(row.change));
    if (key === 'q') return number('q', q);
    if (plot) return element('td', { class: 'cell', 'data-plot': plot });
    if (th.textContent === 'better') return number('better', row.higher ? '↑' : '↓');
    return element('td', { class: 'n wide', 'data-h': 'interval' }, bounds);
  });
  return element('tr', { 'data-i': i }, ...made);
}

// The tests that stand at the foot of the table are on the scale, too.
export function changesTable(data, { total, columns = {}, folded } = {}) {
  const { rows, margin } = data;
  const tests = total ? Object.fromEntries(Object.keys(total).filter((key) => rows[key])
    .map((key) => [key, [...rows[key], total[key]]])) : rows;
  const scale = forestScale(tests, margin);
  return new Table('rows-table', {
    columns: { ...rows, ...columns }, base: data.unit, fold: data.fold, folded,
    count: rows.count, make: (i, heads) => makeRow(rows, i, heads),
    text: (i) => ['verdict', 'cls', 'measure', 'note', 'name', 'short']
      .map((key) => rows[key]?.[i] || '').join(' '),
    plots: { forest: {
      head: (th) => drawForestHead(th, scale),
      draw: (cell, width, i) => drawForest(cell, width, rowOf(rows, i), scale,
        margin ?? rows.margin?.[i]),
      total: (cell, width) => drawForest(cell, width, total, scale, margin, { total: true }),
    } },
    detail: rows.runs0 && ((cell, i) => rowDetail(cell, rowOf(rows, i), data)),
  });
}

// Buttons beside lines of folded rows: a filter, or all rows.
export function filterButtons(table) {
  for (const button of document.querySelectorAll('button[data-filter], button[data-all]')) {
    const [key, value] = 'all' in button.dataset ? ['all', '1'] : ['q', button.dataset.filter];
    button.addEventListener('click', () => {
      set(key, get(key) === value ? '' : value);
      table.node.closest('section').scrollIntoView();
    });
  }
}
