// Excess: each step less the level of its neighbours, split into the rows of the steps above,
// column under column. The parts and "in none of these" add up to the mark.
// Needs: steps {time, level}, a stack {rows: [{name, kind, value, level}]}.
import { scaleLinear } from '../lib/scales.mjs';
import { max, sum } from 'd3-array';
import { add, axisY, fill, tickDigits, ticksY } from '../lib/svg.mjs';
import { withSign, decimals } from '../lib/format.mjs';
import { drawMark } from './steps.mjs';

export function excessOf(steps, stack, i) {
  if (steps.level[i] === null || steps.time[i] === null) return null;
  const total = steps.time[i] - steps.level[i];
  const parts = stack.rows.map(({ kind, value, level }) =>
    ({ kind, value: (value[i] || 0) - (level[i] || 0) }));
  const rest = total - sum(parts, (part) => part.value);
  return { total, parts: [...parts, { kind: 'band', value: rest }] };
}

export function drawExcess(svg, area, x, columns, steps, stack, unit, labels) {
  const all = new Map(columns.map((i) => [i, excessOf(steps, stack, i)]).filter((e) => e[1]));
  const reach = (sign) => unit.factor * max([...all.values()], (excess) =>
    Math.max(sign * excess.total, sum(excess.parts, (part) => Math.max(0, sign * part.value)), 0));
  const [down, up] = [reach(-1), reach(1)];
  const y = scaleLinear().domain([-down || -up || -1, up || down || 1])
    .range([area.y1 - 16, area.y0 + 16]);
  const group = add(svg, 'g', { class: 'excess' });
  const ticks = ticksY(y, 4);
  axisY(group, y, area.x0, area.x1, (v) => withSign(v, tickDigits(ticks)), ticks);
  const zero = { x1: area.x0, x2: area.x1, y1: y(0), y2: y(0), stroke: 'var(--ink3)' };
  add(group, 'line', zero);
  labels.put(group, 'over the neighbours', [[area.x0, area.y0 + 2]],
    { anchor: 'start', kind: 'strong' });
  const longest = [...all.keys()].reduce((most, i) =>
    (most === null || all.get(i).total > all.get(most).total ? i : most), null);
  for (const i of [longest, ...[...all.keys()].filter((c) => c !== longest)]) {
    const { total, parts } = all.get(i);
    const ends = { up: 0, down: 0 };
    for (const { kind, value } of parts) {
      const side = value > 0 ? 'up' : 'down';
      const from = ends[side];
      ends[side] += value * unit.factor;
      const [y0, y1] = [y(from), y(ends[side])].sort((a, b) => a - b);
      if (y1 - y0 < 0.05) continue;
      const box = { x: x(i), width: x.bandwidth(), y: y0, height: y1 - y0, fill: fill(kind) };
      add(group, 'rect', { ...box, stroke: kind === 'band' ? 'var(--rule)' : null });
    }
    const at = total * unit.factor;
    drawMark(group, x, i, y(at));
    if (x.step() < 52 && i !== longest) continue;
    const text = withSign(at, Math.max(0, decimals(up + down) - (up + down < 10 ? 1 : 0)));
    const middle = x(i) + x.bandwidth() / 2;
    const places = [[middle, y(Math.max(ends.up, at)) - 6],
      [middle, y(Math.min(ends.down, at)) + 14]];
    const kind = i === longest ? 'strong' : 'mid';
    labels.put(group, text, total < 0 ? places.reverse() : places, { kind });
  }
}
