// Waterfall from base to new: the largest contributions, rises first. Filled: shown to have
// changed; hollow: not shown; grey: on one side only, moved, replaced. The base is torn when
// changes are small.
// Needs: base, new, items [{name, adds, verdict}].
import { max, min } from 'd3-array';
import { scaleLinear } from '../lib/scales.mjs';
import { add, axisX, fitText, tickDigits } from '../lib/svg.mjs';
import { verdictColour, isShown } from '../lib/verdict.mjs';
import { fixed, withSign, decimals } from '../lib/format.mjs';

const ROW = 24;
const GREY = ['NEW', 'GONE', 'moved', 'replaced'];

export function drawWaterfall(svg, width, base, end, items, unit) {
  const x0 = Math.min(230, width * 0.38);
  const sums = [base];
  for (const item of items) sums.push(sums[sums.length - 1] + item.adds);
  const [low, high] = [min(sums), Math.max(max(sums), end)];
  const torn = high - low < 0.25 * high;
  const start = torn ? low - (high - low) * 0.35 : 0;
  const x = scaleLinear([start * unit.factor, high * unit.factor], [x0, width - 62]);
  const at = (value) => x(value * unit.factor);
  const digits = decimals(Math.max(base, end) * unit.factor);
  const bottom = (items.length + 2) * ROW;
  const ticks = tickDigits(x.ticks(4));
  axisX(svg, x, bottom, (v) => fixed(v, ticks), { ticks: 4, size: -bottom });
  add(svg, 'text', { x: width, y: bottom + 16, 'text-anchor': 'end' }, unit.name);
  if (torn) add(svg, 'text', { x: 0, y: bottom + 16 },
    `starts at ${fixed(start * unit.factor, Math.max(1, ticks))}`);

  const name = (r, full, kind) => {
    const text = fitText(full, x0 - 12, true);
    const place = { x: x0 - 8, y: r * ROW + 16, 'text-anchor': 'end', class: kind };
    add(add(svg, 'text', place, text), 'title', {}, full);
  };
  const whole = (r, word, value) => {
    name(r, word, 'strong');
    const bar = { x: x0, width: at(value) - x0, y: r * ROW + 4, height: ROW - 8,
      fill: 'var(--dot)' };
    add(svg, 'rect', bar);
    const place = { class: 'strong', x: at(value) + 6, y: r * ROW + 16 };
    add(svg, 'text', place, fixed(value * unit.factor, digits));
    const tear = `M${x0 + 16} ${r * ROW + 1}l5 ${ROW / 2 - 1}l-5 0l5 ${ROW / 2 - 1}`;
    const look = { fill: 'none', stroke: 'var(--bg)', 'stroke-width': 3 };
    if (torn) add(svg, 'path', { d: tear, ...look });
  };
  whole(0, 'base', base);
  items.forEach((item, i) => {
    const y = (i + 1) * ROW;
    const [a, b] = [at(sums[i]), at(sums[i + 1])].sort((p, q) => p - q);
    const grey = GREY.includes(item.verdict);
    const stroke = grey ? 'var(--dotsoft)' : `var(--${verdictColour(item.verdict)})`;
    const fill = grey || isShown(item.verdict) ? stroke : 'var(--bg)';
    name(i + 1, item.name, 'mid');
    add(svg, 'rect', { x: a, width: Math.max(1.5, b - a), y: y + 4, height: ROW - 8, fill,
      stroke });
    const joint = at(sums[i + 1]);
    add(svg, 'line', { x1: joint, x2: joint, y1: y + 4, y2: y + ROW + 4, stroke: 'var(--rule)' });
    add(svg, 'text', { class: 'mid', x: b + 6, y: y + 16 },
      withSign(item.adds * unit.factor, digits));
  });
  whole(items.length + 1, 'new', end);
  return bottom + 22;
}
