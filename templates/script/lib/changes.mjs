// The table of changes, of ops and of benchmarks: a forest in each row, and the row in detail.
import { element, nameCell } from './dom.mjs';
import { Table } from './table.mjs';
import { rowOf, rowDetail } from './rowdetail.mjs';
import { quantity, change, interval, probability } from './format.mjs';
import { lookOf } from './verdict.mjs';
import { forestScale, drawForestHead, drawForest } from '../plots/forest.mjs';

function verdictOf({ verdict, mark, note }) {
  const [sign, look] = lookOf(verdict);
  const beside = note ? element('small', {}, (verdict ? ' ' : '') + note) : '';
  return [verdict ? element('span', { class: look }, `${sign} ${verdict}`) : '',
    mark ? element('sup', {}, mark) : '', beside];
}

const bounds = ({ low, high }) => (low === null || high === null ? '' : interval(low, high));

// A suite's rows are of several quantities: each cell has its unit.
function columnsOf(data, rows, row, total) {
  const own = data.page === 'suite';
  const size = (key, more) => (own ? { key, title: key,
    make: (i) => (rows[key][i] === null ? '' : quantity(rows[key][i], rows.unit[i])) }
    : { key, title: key, label: key, base: data.unit, sum: data.addsup, ...more });
  const test = (key, title, words) => ({ key, title, make: (i) => words(row(i)), total: () => '' });
  return [{ key: 'name', title: data.noun, words: true, class: 'name',
    make: (i) => nameCell(rows.name[i], rows.short[i]) },
  { key: 'measure', title: 'measure', words: true, hidden: new Set(rows.measure).size < 2 },
  size('base'), size('new'),
  { ...test('higher', 'better', ({ higher }) => (higher ? '↑' : '↓')), hidden: !own },
  { ...test('change', 'change', (of) => (of.change === null ? '' : change(of.change))), unit: '%',
    total: (value) => (value === null ? '' : change(value)) },
  { plot: 'forest', title: 'change, interval and runs' },
  { ...test('low', `${data.confidence} %`, bounds), class: 'n wide',
    hidden: rows.low.every((v) => v === null),
    total: () => bounds(total) },
  { ...test('q', 'q', ({ evidence, q }) => (evidence === 'exact' ? 'exact' : probability(q))),
    hidden: rows.q.every((q, i) => q === null && rows.evidence[i] !== 'exact'),
    total: (q) => (total.evidence === 'exact' ? 'exact' : probability(q)) },
  { ...size('difference', { signed: true }), title: 'adds', hidden: own },
  { key: 'verdict', title: 'verdict', words: true, class: 'verdict',
    make: (i) => verdictOf(row(i)), total: () => '' }];
}

// The tests that stand at the foot of the table are on the scale, too.
export function changesTable(data, rows, { total, values, folded }) {
  const { margin } = data;
  const tests = total ? Object.fromEntries(Object.keys(total).filter((key) => rows[key])
    .map((key) => [key, [...rows[key], total[key]]])) : rows;
  const scale = forestScale(tests, margin);
  return new Table('rows-table', {
    columns: columnsOf(data, rows, (i) => rowOf(rows, i), total), values: { ...rows, ...values },
    fold: data.fold, folded, look: 'tall', label: 'changes', total: total && { ...total,
      label: `all ${data.nouns}` },
    text: (i) => ['verdict', 'type', 'measure', 'note', 'name', 'short']
      .map((key) => rows[key]?.[i] || '').join(' '),
    plots: { forest: {
      head: (th) => drawForestHead(th, scale),
      draw: (cell, width, i) => drawForest(cell, width, rowOf(rows, i), scale,
        margin ?? rows.margin?.[i]),
      total: (cell, width) => drawForest(cell, width, total, scale, margin, { total: true }),
    } },
    detail: (cell, i) => rowDetail(cell, rowOf(rows, i), data),
  });
}
