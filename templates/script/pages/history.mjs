// The page of a history: a line for each row of each machine, those that changed last first; an
// open one has its changes, and the commands that compare both sides of them.
import { openPage, section } from '../lib/page.mjs';
import { byId, element, nameCell, command } from '../lib/dom.mjs';
import { get } from '../lib/state.mjs';
import { plot } from '../lib/svg.mjs';
import { unitFor, quantity, change, interval, probability } from '../lib/format.mjs';
import { Table, filterButtons } from '../lib/table.mjs';
import { drawSmallHistory, drawHistory } from '../plots/history.mjs';

const QUIET = 10; // rows without a change that are seen at first
const CLASSES = { row: 'one row', all: 'all rows', method: 'method', noise: 'noise',
  drift: 'drift' };
const data = openPage();
const keyOf = (table, i) => [table.op[i], table.measure[i], table.machine[i]].join('\n');

// A row in which nothing changed is there, too.
function changesOf(table) {
  return table.op.map((op, i) => ({ key: keyOf(table, i), place: table.place[i],
    tone: table.tone?.[i] || '', kind: table.class[i], what: table.what[i],
    compare: table.compare[i], size: table.change[i], low: table.low[i], high: table.high[i],
    q: table.q[i], before: table.last_before[i] || table.run_before[i],
    after: table.first_after[i] || table.run_after[i], since: table.since[i],
    text: `${change(table.change[i])}\u00a0%` })).filter((of) => of.kind !== 'none');
}

// A series begins where the place is 1; the rows of the display are these, in the same order.
function seriesOf(table, names, changes) {
  const made = [];
  table.place.forEach((place, i) => {
    if (place === 1) {
      const key = keyOf(table, i);
      made.push({ name: table.op[i], short: names[made.length], measure: table.measure[i],
        machine: table.machine[i], unit: table.unit[i], value: [], level: [], run: [], commit: [],
        start: [], changes: changes.filter((of) => of.key === key) });
    }
    const series = made[made.length - 1];
    for (const field of ['value', 'level', 'run', 'commit', 'start']) {
      series[field].push(table[field][i]);
    }
  });
  const rank = (series) => (series.changes.length ? changes.indexOf(series.changes[0]) : Infinity);
  return made.map((series, i) => [rank(series), i, series])
    .sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0])).map((of) => of[2]);
}

const withInterval = ({ text, low, high }) =>
  text + (low === null || high === null ? '' : ` ${interval(low, high)}`);

function detail(cell, series) {
  const host = element('div', { class: 'plot' });
  cell.append(host, element('p', { class: 'said whole' }, series.name));
  for (const of of series.changes) {
    const between = of.kind === 'drift' ? ['from', 'to'] : ['between', 'and'];
    const size = element('span', { class: of.tone }, withInterval(of));
    cell.append(element('p', { class: 'said' }, size,
      ` ${between[0]} ${of.before} ${between[1]} ${of.after}: ${of.what}`));
    if (of.compare) cell.append(command(of.compare));
  }
  const unit = unitFor(Math.max(...series.value), series.unit, get('unit'));
  plot(host, `${series.name} over ${series.value.length} sessions`, (svg, width) =>
    drawHistory(svg, width, series, unit));
}

function rowsSection() {
  const all = seriesOf(data.series, data.display.op, changesOf(data.data));
  const first = all.map((series) => series.changes[0] || {});
  const last = all.map((series) => series.value[series.value.length - 1]);
  const values = { name: all.map((series) => series.name), last,
    machine: all.map((series) => series.machine), measure: all.map((series) => series.measure),
    change: first.map((of) => of.size ?? null), q: first.map((of) => of.q ?? null),
    since: first.map((of) => (of.place && (of.since || of.after)) || ''),
    kind: first.map((of) => of.kind || '') };
  const several = (key) => new Set(values[key]).size > 1;
  const number = (key, title, make) => ({ key, title, make: (i) => make(first[i], i) });
  const kinds = new Set(all.flatMap((series) => series.changes.map((of) => of.kind)));
  const head = byId('rows-table').closest('section').querySelector('.head');
  for (const kind of kinds) {
    head.append(element('button', { type: 'button', 'data-filter': `kind:${kind}` },
      CLASSES[kind]));
  }
  const table = new Table('rows-table', {
    columns: [{ key: 'name', title: 'row', words: true, class: 'name',
      make: (i) => nameCell(all[i].name, all[i].short) },
    { key: 'measure', title: 'measure', words: true, hidden: !several('measure') },
    { key: 'machine', title: 'machine', words: true, hidden: !several('machine') },
    { plot: 'history', title: 'value of each session' },
    number('last', 'last', (of, i) => quantity(last[i], all[i].unit)),
    { ...number('change', 'change', (of) => (of.text ? withInterval(of) : '')), class: 'n wide' },
    { key: 'since', title: 'since', words: true },
    number('q', 'q', (of) => probability(of.q)),
    { key: 'kind', title: 'what', words: true, class: 'text', make: (i) => first[i].what || '' }],
    values, fold: QUIET + first.filter((of) => of.text).length, look: 'tall', label: 'rows',
    text: (i) => [all[i].name, all[i].short, all[i].machine, all[i].measure,
      ...all[i].changes.map((of) => `kind:${of.kind} ${of.what}`)].join(' '),
    plots: { history: { draw: (cell, width, i) => drawSmallHistory(cell, width, all[i]) } },
    detail: (cell, i) => detail(cell, all[i]),
  });
  filterButtons(table);
}

section('rows', rowsSection);
