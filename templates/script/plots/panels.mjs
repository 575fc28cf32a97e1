// Small multiples: a panel for each run, all on one scale; a click shows a run by itself.
// Needs: steps, a stack, runs [{name, first, count, mean}].
import { max, range } from 'd3-array';
import { add, fitText, textWidth, Labels } from '../lib/svg.mjs';
import { quantity } from '../lib/format.mjs';
import { columnsOf, columnScale, drawSteps, drawNumbers, heightOf } from './steps.mjs';

const HEIGHT = 128;
const GAP = 18;
const MOST = 24;

export function drawPanels(svg, width, { steps, stack, unit, base, onPick }) {
  const runs = steps.runs.slice(0, MOST);
  const perLine = Math.min(runs.length, Math.max(1, Math.floor(width / 300)));
  const room = (width - GAP * (perLine - 1)) / perLine;
  const shown = runs.flatMap((run) => range(run.first, run.first + run.count));
  const most = max(shown, (i) => heightOf(steps, stack, i));
  runs.forEach((run, r) => {
    const [left, top] = [(r % perLine) * (room + GAP), Math.floor(r / perLine) * HEIGHT];
    const area = { x0: left + 44, x1: left + room, y0: top + 14, y1: top + HEIGHT - 26 };
    const columns = columnsOf(steps, range(run.first, run.first + run.count), area.x1 - area.x0);
    if (!columns.length) return;
    const x = columnScale(columns, area.x0, area.x1);
    const mean = run.mean === null ? 'left out' : 'mean ' + quantity(run.mean, base);
    const name = fitText(run.name, room - textWidth(mean) - 16, true);
    const title = add(svg, 'text', { class: 'strong', x: left, y: top + 11 }, name);
    add(title, 'title', {}, run.name);
    add(svg, 'text', { x: left + room, y: top + 11, 'text-anchor': 'end' }, mean);
    const labels = new Labels(area.x0, area.x1);
    drawSteps(svg, area, x, columns, steps, stack, unit, labels, most);
    drawNumbers(svg, area, x, columns, steps);
    const hit = { x: left, y: top, width: room, height: HEIGHT, fill: 'none' };
    add(svg, 'rect', { ...hit, 'pointer-events': 'all', 'style.cursor': 'pointer' })
      .on('click', () => onPick(r));
  });
  const height = Math.ceil(runs.length / perLine) * HEIGHT;
  if (runs.length === steps.runs.length) return height;
  const others = `${steps.runs.length - runs.length} more runs: choose one above`;
  add(svg, 'text', { x: 0, y: height + 12 }, others);
  return height + 18;
}
