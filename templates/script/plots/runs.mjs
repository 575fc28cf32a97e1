// Runs of both sides: a dot each, a tick for the mean of the side, on one axis.
// Needs: sides [{name, values (null: left out), mean, runs: [name]}].
import { scaleLinear, scaleLog } from '../lib/scales.mjs';
import { max, mean as average, min } from 'd3-array';
import { add, axisX, textWidth, tickDigits } from '../lib/svg.mjs';
import { signed, quantity, fixed } from '../lib/format.mjs';

const ROW = 54;
const ROUND = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function drawRuns(svg, width, sides, unit, base) {
  const known = (side) => side.values.map((v, i) => [v, side.runs[i]]).filter((v) => v[0] !== null);
  const values = sides.flatMap(known).map(([v]) => v * unit.factor);
  if (!values.length) return 0;
  const [low, high] = [min(values), max(values)];
  const x0 = 56;
  const wide = low > 0 && high / low > 4;
  const pad = (high - low) * 0.12 || Math.abs(high) * 0.05 || 1;
  const x = wide ? scaleLog([low / 1.15, high * 1.15], [x0, width - 14]) :
    scaleLinear([low - pad, high + pad], [x0, width - 14]);
  const bottom = ROW * sides.length + 4;
  const ticks = wide ? ROUND.filter((t) => t > low / 1.15 && t < high * 1.15) : width < 400 ? 3 : 5;
  const plain = (v) => signed(String(Number(v.toPrecision(6))));
  const digits = wide ? 0 : tickDigits(x.ticks(ticks));
  axisX(svg, x, bottom, wide ? plain : (v) => fixed(v, digits), { ticks, size: -bottom });
  add(svg, 'text', { x: 0, y: bottom + 15 }, unit.name);
  sides.forEach((side, s) => {
    const y = s * ROW + 34;
    add(svg, 'text', { class: 'strong', x: x0 - 10, y: y + 4, 'text-anchor': 'end' }, side.name);
    const values = known(side);
    if (!values.length) return;
    const mean = side.mean ?? average(values, (v) => v[0]);
    const at = x(mean * unit.factor);
    const line = { x1: at, x2: at, y1: y - 15, y2: y + 13, stroke: 'var(--ink)',
      'stroke-width': 2 };
    add(svg, 'line', line);
    const text = 'mean ' + quantity(mean, base);
    const half = textWidth(text, true) / 2;
    const middle = Math.max(x0 + half, Math.min(at, width - half));
    add(svg, 'text', { class: 'strong', x: middle, y: y - 20, 'text-anchor': 'middle' }, text);
    const look = s ? { fill: 'var(--s1)', stroke: 'var(--s1)' }
      : { fill: 'var(--bg)', stroke: 'var(--dot)' };
    const taken = [];
    values.sort((a, b) => a[0] - b[0]).forEach(
      ([v, name]) => {
      const cx = x(v * unit.factor);
      const up = taken.filter((t) => Math.abs(t - cx) < 7).length;
      taken.push(cx);
      const cy = y + (up % 2 ? -1 : 1) * Math.ceil(up / 2) * 7;
      const dot = add(svg, 'circle', { cx, cy, r: 4, ...look, 'fill-opacity': 0.8 });
      add(dot, 'title', {}, `${name}: ${quantity(v, base)}`);
    });
  });
  return bottom + 20;
}
