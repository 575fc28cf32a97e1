// A row over recorded runs: a dot for each session, the line of its levels, and where these change;
// small in a cell of the table, large with axes where the row is open.
// Needs: series {value, level, run, commit, start, unit, changes [{place, tone, text}]}.
import { select } from 'd3-selection';
import { max, min } from 'd3-array';
import { scaleLinear, scalePoint } from '../lib/scales.mjs';
import { add, axisY, drawTrack, tickDigits, Labels } from '../lib/svg.mjs';
import { fixed, quantity } from '../lib/format.mjs';

const SMALL = 30;
const [HEIGHT, TOP, BOTTOM] = [190, 26, 166];
const LEAST = 0.02; // of the level: less is noise on any scale
const colourOf = (tone) => `var(--${{ worse: 'worsefill', better: 'betterfill' }[tone] || 'dot'})`;
const nameOf = (series, i) => (series.commit[i] || series.start[i]?.slice(0, 10) || series.run[i])
  .slice(0, 10);

function scalesOf(series, [left, right], [bottom, top], factor) {
  const [low, high] = [min(series.value), max(series.value)];
  const pad = Math.max((high - low) * 0.06, (LEAST * high - (high - low)) / 2);
  return { x: scalePoint(series.value.map((v, i) => i), [left, right]),
    y: scaleLinear([(low - pad) * factor, (high + pad) * factor], [bottom, top]) };
}

// Steps of level stand between the sessions beside them.
function drawLevels(svg, series, x, y, factor) {
  const half = x.step() / 2 || 4;
  const begins = new Set(series.changes.map(({ place }) => place));
  const path = series.level.map((level, i) => {
    const at = y(level * factor).toFixed(1);
    const edge = x(i) - half;
    return (i ? begins.has(i + 1) ? `H${edge}V${at}` : '' : `M${x(i) - 3} ${at}`) +
      `L${x(i)} ${at}`;
  }).join('');
  add(svg, 'path', { d: path, class: 'level', fill: 'none', stroke: 'var(--accent)',
    'stroke-width': 1.6 });
}

export function drawSmallHistory(cell, width, series) {
  if (width < 60) return;
  const svg = add(select(cell), 'svg', { viewBox: `0 0 ${width} ${SMALL}`, role: 'img',
    'aria-label': `${series.value.length} sessions, ${series.changes.length} changes` });
  const { x, y } = scalesOf(series, [5, width - 5], [SMALL - 3, 3], 1);
  for (const { place, tone } of series.changes.filter((change) => change.place)) {
    const at = x(place - 1) - x.step() / 2;
    add(svg, 'line', { class: 'change', x1: at, x2: at, y2: SMALL, stroke: colourOf(tone),
      'stroke-width': 1.6 });
  }
  const dots = series.value.map((v, i) => `M${x(i).toFixed(1)} ${y(v).toFixed(1)}h0`).join('');
  add(svg, 'path', { d: dots, stroke: 'var(--dotsoft)', 'stroke-width': 4,
    'stroke-linecap': 'round' });
  drawLevels(svg, series, x, y, 1);
}

export function drawHistory(svg, width, series, unit) {
  const [x0, x1] = [52, width - 14];
  const { x, y } = scalesOf(series, [x0 + 8, x1], [BOTTOM, TOP], unit.factor);
  const digits = tickDigits(y.ticks(4));
  axisY(svg, y, x0, x1, (v) => fixed(v, digits), 4);
  add(svg, 'text', { x: 0, y: 9 }, unit.name);
  const labels = new Labels(x0, width);
  for (const { place, tone, text } of series.changes.filter((change) => change.place)) {
    const at = x(place - 1) - x.step() / 2;
    add(svg, 'line', { class: 'change', x1: at, x2: at, y1: TOP - 6, y2: BOTTOM,
      stroke: colourOf(tone), 'stroke-width': 1.6 });
    labels.put(svg, text, [[at, TOP - 10], [at, TOP - 21]], { kind: `strong ${tone}` });
  }
  drawLevels(svg, series, x, y, unit.factor);
  const names = series.value.map((v, i) => nameOf(series, i));
  drawTrack(svg, { x, y: (v) => y(v * unit.factor), values: series.value, names, width,
    bottom: HEIGHT - 6, dotOf: () => ({ fill: 'var(--dot)' }) }).forEach((dot, i) => {
    const words = [series.run[i], series.commit[i], series.start[i],
      quantity(series.value[i], series.unit)];
    add(dot, 'title', {}, words.filter(Boolean).join(', '));
  });
  return HEIGHT;
}
