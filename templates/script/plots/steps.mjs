// Steps: stacked columns, one per step (of more steps than fit: the longest of each group), a mark
// for the step time. Needs: steps {number, time, left, longest, mean, low, high, shifts [{at, run,
// text}]}, a stack {rows: [{kind, value}]}.
import { scaleBand, scaleLinear } from '../lib/scales.mjs';
import { max, sum } from 'd3-array';
import { add, axisY, fill, thin, textWidth, tickDigits } from '../lib/svg.mjs';
import { fixed, decimals } from '../lib/format.mjs';

const PALE = 0.35;

// Columns of the plot, of the steps `shown`: each stands for the longest of its steps, those that
// are left out come last.
export function columnsOf(steps, shown, width) {
  const each = Math.ceil(shown.length / Math.max(1, Math.floor(width / 4)));
  const columns = [];
  const isMore = (i, than) => (steps.left[i] === steps.left[than]
    ? steps.time[i] > steps.time[than] : steps.left[i] < steps.left[than]);
  shown.forEach((i, place) => {
    const group = Math.floor(place / each);
    if (columns[group] === undefined || isMore(i, columns[group])) columns[group] = i;
  });
  return columns;
}

export const columnScale = (columns, x0, x1) => scaleBand().domain(columns).range([x0, x1])
  .paddingOuter(0.2).paddingInner(columns.length > 60 ? 0.1 : 0.35);

export const heightOf = (steps, stack, i) => Math.max(steps.time[i] || 0,
  sum(stack.rows, (row) => row.value[i] || 0));

// A thick line over the column, a little wider than it.
export function drawMark(group, x, i, y) {
  const over = Math.min(5, x.step() * 0.12);
  const width = x.bandwidth() + 2 * over;
  const mark = { class: 'mark', x: x(i) - over, width, y: y - 1.25, height: 2.5 };
  add(group, 'rect', { ...mark, fill: 'var(--ink)' });
}

// most: the largest value of the scale, for plots that share it.
export function drawSteps(svg, area, x, columns, steps, stack, unit, labels, most) {
  const top = most || max(columns, (i) => heightOf(steps, stack, i));
  const digits = decimals(top * unit.factor);
  const y = scaleLinear().domain([0, (top * unit.factor || 1) * 1.04])
    .range([area.y1, area.y0 + 16]);
  const at = (value) => y(value * unit.factor);
  const group = add(svg, 'g', {});
  if (steps.low !== null && !most) {
    const [y0, y1] = [at(Math.min(steps.high, top * 1.04)), at(steps.low)];
    const band = { x: area.x0, width: area.x1 - area.x0, y: y0, height: Math.max(0, y1 - y0) };
    add(group, 'rect', { ...band, fill: 'var(--band)' });
  }
  const ticks = y.ticks(most ? 2 : 4);
  const places = tickDigits(ticks);
  axisY(group, y, area.x0, area.x1, (v) => fixed(v, v ? places : 0), ticks);
  for (const i of columns) {
    const column = add(group, 'g', { opacity: steps.left[i] ? PALE : null });
    let below = 0;
    for (const row of stack.rows) {
      const value = Math.max(0, row.value[i] || 0);
      const [y1, y0] = [at(below), at(below + value)];
      const height = Math.max(0, y1 - y0 - (y1 - y0 > 3 ? 0.6 : 0));
      below += value;
      if (height < 0.05) continue;
      add(column, 'rect', { x: x(i), width: x.bandwidth(), y: y0, height, fill: fill(row.kind) });
    }
    if (steps.time[i] !== null) drawMark(column, x, i, at(steps.time[i]));
  }
  drawLabels(group, area, x, columns, steps, labels, {
    at: (i) => at(heightOf(steps, stack, i)), digits, unit, only: Boolean(most) });
  if (!most) drawShifts(group, area, x, columns, steps, labels);
}

// Where the level changes: a line, and words where they fit.
function drawShifts(group, area, x, columns, steps, labels) {
  for (const { at, run, text } of steps.shifts) {
    const from = steps.number.findIndex((number, i) => number === at && (steps.runs.length < 2 ||
      steps.runs[steps.run[i]].name === run));
    const i = from < 0 ? undefined : columns.find((column) => column >= from &&
      steps.run[column] === steps.run[from]);
    if (i === undefined) continue;
    const px = x(i) - (x.step() - x.bandwidth()) / 2;
    const line = { x1: px, x2: px, y1: area.y0 + 6, y2: area.y1, stroke: 'var(--worse)' };
    add(group, 'line', { ...line, 'stroke-dasharray': '3 2' });
    const kind = 'strong worse';
    [text, `from step ${at} on`].some((words) =>
      labels.put(group, words, [[px + 4, area.y0 + 8]], { anchor: 'start', kind }) ||
      labels.put(group, words, [[px - 4, area.y0 + 8]], { anchor: 'end', kind }));
  }
}

// The time of each step, or of the longest and the outliers only.
function drawLabels(group, area, x, columns, steps, labels, { at, digits, unit, only }) {
  const text = (i) => fixed(steps.time[i] * unit.factor, digits);
  const widest = max(columns, (i) => textWidth(text(i), true));
  const all = x.step() > widest + 6 && !only;
  const first = columns.reduce((most, i) => (steps.left[i] || steps.time[i] <= steps.time[most]
    ? most : i), columns[0]);
  const wanted = columns.filter((i) => all || i === first || steps.out.includes(i));
  for (const i of [first, ...wanted.filter((c) => c !== first)]) {
    if (steps.time[i] === null || i === undefined) continue;
    const kind = i === first ? 'strong' : 'mid';
    const room = textWidth(text(i), true) / 2 + 1;
    const px = Math.max(area.x0 + room, Math.min(x(i) + x.bandwidth() / 2, area.x1 - room));
    labels.put(group, text(i), [[px, at(i) - 6]], { kind });
  }
}

export function drawNumbers(svg, area, x, columns, steps, kind = 'mid') {
  const widest = max(columns, (i) => textWidth(String(steps.number[i])));
  for (const i of thin(columns, (widest + 10) / x.step())) {
    const place = { x: x(i) + x.bandwidth() / 2, y: area.y1 + 18, 'text-anchor': 'middle' };
    add(svg, 'text', { ...place, class: i === steps.longest ? 'strong' : kind }, steps.number[i]);
  }
  add(svg, 'text', { x: area.x0 - 6, y: area.y1 + 18, 'text-anchor': 'end' }, 'step');
}
