// Runs of both sides: a dot each, a tick for the mean of the side, on one axis.
// Needs: sides [{name, values, runs: [name]}].
import { scaleLinear, scaleLog } from '../lib/scales.mjs';
import { mean as average } from 'd3-array';
import { add, axisX, textWidth } from '../lib/svg.mjs';
import { signed, quantity } from '../lib/format.mjs';

const ROW = 54;
const ROUND = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function drawRuns(svg, width, sides, unit, base) {
  const values = sides.flatMap((side) => side.values).map((v) => v * unit.factor);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x0 = 56;
  const wide = high / low > 4;
  const pad = (high - low) * 0.12 || high * 0.05;
  const x = wide ? scaleLog([low / 1.15, high * 1.15], [x0, width - 14]) :
    scaleLinear([low - pad, high + pad], [x0, width - 14]);
  const bottom = ROW * sides.length + 4;
  const ticks = wide ? ROUND.filter((t) => t > low / 1.15 && t < high * 1.15) : width < 400 ? 3 : 5;
  axisX(svg, x, bottom, (v) => signed(String(Number(v.toPrecision(6)))), { ticks, size: -bottom });
  add(svg, 'text', { x: 0, y: bottom + 15 }, unit.name);
  sides.forEach((side, s) => {
    const y = s * ROW + 34;
    add(svg, 'text', { class: 'strong', x: x0 - 10, y: y + 4, 'text-anchor': 'end' }, side.name);
    const mean = average(side.values);
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
    side.values.map((v, i) => [v, side.runs[i]]).sort((a, b) => a[0] - b[0]).forEach(
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
