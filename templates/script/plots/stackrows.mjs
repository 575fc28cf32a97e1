// Stacked rows on one scale: one row a device, or one a split of variance.
// Needs: rows [{name, total, parts: [{name, kind, mean}]}].
import { max, sum } from 'd3-array';
import { scaleLinear } from '../lib/scales.mjs';
import { add, axisX, boxLabel, fill, fitText, textWidth, tickDigits } from '../lib/svg.mjs';
import { fixed } from '../lib/format.mjs';

export function drawStackRows(svg, width, rows, { unit, mark, digits = 1, height = 24, end = 60 }) {
  const x0 = Math.min(150, max(rows, (r) => textWidth(r.name, true)) + 14);
  const most = Math.max(max(rows, (r) => Math.max(r.total, sum(r.parts, (part) => part.mean))),
    mark ? mark.value : 0);
  const x = scaleLinear().domain([0, most * unit.factor || 1]).range([x0, width - end]);
  const show = (value) => fixed(value * unit.factor, digits);
  const top = mark ? 16 : 2;
  const bottom = rows.length * (height + 8) + top;
  const ticks = x.ticks(width < 500 ? 4 : 8);
  const places = tickDigits(ticks);
  axisX(svg, x, bottom, (v) => fixed(v, places), { ticks, size: -bottom });
  add(svg, 'text', { x: width, y: bottom + 15, 'text-anchor': 'end' }, unit.name);
  rows.forEach((row, r) => {
    const y = r * (height + 8) + top;
    const line = y + height / 2 + 4;
    const name = add(svg, 'text', { class: 'strong', x: x0 - 8, y: line, 'text-anchor': 'end' },
      fitText(row.name, x0 - 10, true));
    add(name, 'title', {}, row.name);
    let from = 0;
    for (const part of row.parts) {
      const [a, b] = [x(from * unit.factor), x((from + part.mean) * unit.factor)];
      from += part.mean;
      const wide = Math.max(0, b - a - 0.6);
      const box = add(svg, 'rect', { x: a, y, width: wide, height, fill: fill(part.kind) });
      add(box, 'title', {}, `${part.name}: ${show(part.mean)} ${unit.name}`);
      boxLabel(svg, a, line, b - a, part.kind, [`${part.name} ${show(part.mean)}`,
        show(part.mean)]);
    }
    add(svg, 'text', { class: 'mid', x: x(from * unit.factor) + 6, y: line }, show(from));
  });
  if (mark) {
    const at = x(mark.value * unit.factor);
    const anchor = at > width - 90 ? 'end' : 'middle';
    add(svg, 'line', { x1: at, x2: at, y1: 12, y2: bottom, stroke: 'var(--ink)' });
    add(svg, 'text', { class: 'strong', x: at, y: 9, 'text-anchor': anchor }, mark.text);
  }
  return bottom + 20;
}
