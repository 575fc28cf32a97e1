// Steps: stacked columns, one per step (of more steps than fit: the longest of each group), a mark
// for the step time, the band of its interval. Needs: steps {number, time, low, high, longest}, a
// stack {rows: [{kind, value}]}, shifts [{at, text}]: where the level changes.
import { scaleBand, scaleLinear } from '../lib/scales.mjs';
import { sum } from 'd3-array';
import { add, axisY, fill, thin, textWidth } from '../lib/svg.mjs';
import { fixed, decimals } from '../lib/format.mjs';

// Columns of the plot: each stands for the longest of its steps.
export function columnsOf(steps, width) {
  const each = Math.ceil(steps.time.length / Math.max(1, Math.floor(width / 4)));
  const columns = [];
  steps.time.forEach((time, i) => {
    const group = Math.floor(i / each);
    if (columns[group] === undefined || time > steps.time[columns[group]]) columns[group] = i;
  });
  return columns;
}

export const columnScale = (columns, x0, x1) => scaleBand(columns, [x0, x1]).paddingOuter(0.2)
  .paddingInner(columns.length > 60 ? 0.1 : 0.35);

// A thick line over the column, a little wider than it.
export function drawMark(group, x, i, y) {
  const over = Math.min(5, x.step() * 0.12);
  const width = x.bandwidth() + 2 * over;
  add(group, 'rect', { x: x(i) - over, width, y: y - 1.25, height: 2.5, fill: 'var(--ink)' });
}

export function drawSteps(svg, area, x, columns, steps, stack, unit, labels) {
  const top = (i) => Math.max(steps.time[i], sum(stack.rows, (row) => row.value[i]));
  const most = Math.max(...columns.map(top), steps.high || 0) * unit.factor;
  const y = scaleLinear([0, most * 1.04], [area.y1, area.y0 + 16]);
  const at = (value) => y(value * unit.factor);
  const group = add(svg, 'g', {});
  if (steps.low !== null) {
    const [y0, y1] = [at(steps.high), at(steps.low)];
    const band = { x: area.x0, width: area.x1 - area.x0, y: y0, height: y1 - y0 };
    add(group, 'rect', { ...band, fill: 'var(--band)' });
  }
  axisY(group, y, area.x0, area.x1, (v) => fixed(v, v % 1 ? 1 : 0), 4);
  add(group, 'text', { x: area.x0 - 6, y: area.y0 + 2, 'text-anchor': 'end' }, unit.name);
  for (const i of columns) {
    let below = 0;
    for (const row of stack.rows) {
      const [y1, y0] = [at(below), at(below + row.value[i])];
      const height = Math.max(0, y1 - y0 - (y1 - y0 > 3 ? 0.6 : 0));
      add(group, 'rect', { x: x(i), width: x.bandwidth(), y: y0, height, fill: fill(row.kind) });
      below += row.value[i];
    }
    drawMark(group, x, i, at(steps.time[i]));
  }
  const all = x.step() > textWidth(fixed(most, decimals(most)), true) + 6;
  for (const i of columns.filter((c) => all || c === steps.longest)) {
    const text = fixed(steps.time[i] * unit.factor, decimals(most));
    const kind = i === steps.longest ? 'strong' : 'mid';
    labels.put(group, text, [[x(i) + x.bandwidth() / 2, at(top(i)) - 6]], { kind });
  }
  for (const { at: first, text } of steps.shifts || []) {
    const px = x(columns.find((i) => i >= first)) - (x.step() - x.bandwidth()) / 2;
    const line = { x1: px, x2: px, y1: area.y0 + 6, y2: area.y1, stroke: 'var(--worse)' };
    add(group, 'line', { ...line, 'stroke-dasharray': '3 2' });
    const kind = 'strong worse';
    if (labels.put(group, text, [[px + 4, area.y0 + 12]], { anchor: 'start', kind })) continue;
    labels.put(group, text, [[px - 4, area.y0 + 12]], { anchor: 'end', kind });
  }
}

export function drawNumbers(svg, area, x, columns, steps) {
  const widest = Math.max(...columns.map((i) => textWidth(String(steps.number[i]))));
  for (const i of thin(columns, (widest + 10) / x.step())) {
    const place = { x: x(i) + x.bandwidth() / 2, y: area.y1 + 16, 'text-anchor': 'middle' };
    const kind = i === steps.longest ? 'strong' : 'mid';
    add(svg, 'text', { ...place, class: kind }, steps.number[i]);
  }
  add(svg, 'text', { x: area.x0 - 6, y: area.y1 + 16, 'text-anchor': 'end' }, 'step');
}
