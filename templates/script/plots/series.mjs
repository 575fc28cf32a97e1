// One row in detail: its value in each step, and at the right how often each value occurs.
// Needs: numbers and values of the steps, the step kept, outliers.
import { scaleLinear, scaleLog, scalePoint } from '../lib/scales.mjs';
import { max, min } from 'd3-array';
import { add, axisY, drawTrack, logTicks, tickDigits } from '../lib/svg.mjs';
import { fixed } from '../lib/format.mjs';

const HEIGHT = 190;

export function drawSeries(svg, width, numbers, values, unit, kept, outliers) {
  const x0 = 46;
  const x1 = width - Math.min(110, width * 0.2);
  const known = values.filter((v) => v !== null).map((v) => v * unit.factor);
  const [low, high] = [min(known), max(known)];
  const pad = (high - low) * 0.08 || high * 0.1;
  const range = [HEIGHT - 24, 22];
  const isLog = low > 0 && high / low > 8;
  const y = (isLog ? scaleLog() : scaleLinear()).range(range)
    .domain(isLog ? [low, high] : [Math.max(0, low - pad), high + pad || 1]).nice();
  const x = scalePoint().domain(values.map((v, i) => i)).range([x0 + 8, x1 - 8]);
  const ticks = isLog ? logTicks(y, 60) : y.ticks(4);
  axisY(svg, y, x0, x1, (v) => fixed(v, tickDigits(isLog ? [v] : ticks)), ticks);
  add(svg, 'text', { x: 0, y: 9 }, unit.name);
  drawTrack(svg, { x, y: (v) => y(v * unit.factor), values, names: numbers.map(String), width,
    bottom: HEIGHT - 6,
    dotOf: (i) => (values.length > 150 && i !== kept && !outliers.includes(i) ? null
      : { fill: outliers.includes(i) ? 'var(--worsefill)' : 'var(--dot)',
        ...(i === kept && { stroke: 'var(--accent)', 'stroke-width': 2.5 }) }) });
  const [from, to] = y.domain();
  const edges = [from, ...y.ticks(10).filter((tick) => tick > from && tick < to), to];
  const bins = edges.slice(1).map((x1, k) => ({ x0: edges[k], x1, length: known.filter((v) =>
    v >= edges[k] && (v < x1 || x1 === to)).length })).filter((b) => b.length);
  const bar = scaleLinear([0, max(bins, (b) => b.length)], [0, width - x1 - 30]);
  for (const group of bins) {
    const [bottom, top] = [y(group.x0), y(group.x1)];
    const size = { x: x1 + 8, width: bar(group.length), y: top,
      height: Math.max(1, bottom - top - 1) };
    add(svg, 'rect', { ...size, fill: 'var(--bar)' });
    const place = { x: x1 + 12 + bar(group.length), y: (bottom + top) / 2 + 4 };
    if (bottom - top >= 11) add(svg, 'text', place, group.length);
  }
  return HEIGHT;
}
