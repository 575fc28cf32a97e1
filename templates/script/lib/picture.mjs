// A section as a picture: its texts and plots as they are seen, as one SVG that a canvas draws. No
// request: the SVG is an address of data.
import { element, download } from './dom.mjs';

const SPACE = 'http://www.w3.org/2000/svg';
const LOOKS = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity',
  'fill-opacity', 'text-anchor', 'font-size', 'font-weight', 'font-family', 'paint-order'];
const PASSED = 'svg, select, input, .head button, .hint, .unseen, .command, .legend .how';
const MARGIN = 12;

function make(tag, attributes, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A copy whose looks do not need the style of the page.
function still(from) {
  const copy = from.cloneNode(true);
  const made = [copy, ...copy.querySelectorAll('*')];
  [from, ...from.querySelectorAll('*')].forEach((node, i) => {
    const look = getComputedStyle(node);
    for (const key of LOOKS) made[i].style.setProperty(key, look.getPropertyValue(key));
  });
  return copy;
}

// Each word where it stands, within the box of its element, which may cut it.
function words(section, at) {
  const walk = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  const made = [];
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const host = node.parentElement;
    if (host.closest(PASSED) || !host.checkVisibility()) continue;
    const look = getComputedStyle(host);
    const limit = host.getBoundingClientRect();
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const box = range.getBoundingClientRect();
      if (box.left >= limit.right + 1 || !box.width) continue;
      const style = `fill:${look.color};font-size:${look.fontSize};font-weight:${look.fontWeight
      };font-family:${look.fontFamily.replace(/"/g, "'")}`;
      const frame = { x: box.left - at.left, y: box.top - at.top, height: box.height + 4,
        width: Math.min(box.right, limit.right) - box.left + 1 };
      made.push(make('svg', frame, make('text', { y: box.height * 0.78, style }, word)));
    }
  }
  return made;
}

function pictureOf(section) {
  const at = section.getBoundingClientRect();
  const [width, height] = [at.width + 2 * MARGIN, at.height + 2 * MARGIN];
  const group = make('g', { transform: `translate(${MARGIN},${MARGIN})` }, ...words(section, at));
  for (const plot of section.querySelectorAll('svg')) {
    const box = plot.getBoundingClientRect();
    if (!box.width) continue;
    const copy = still(plot);
    const frame = { x: box.left - at.left, y: box.top - at.top, width: box.width,
      height: box.height, overflow: 'visible' };
    for (const [key, value] of Object.entries(frame)) copy.setAttribute(key, value);
    group.append(copy);
  }
  for (const mark of section.querySelectorAll('.swatch, .bar')) {
    const box = mark.getBoundingClientRect();
    group.append(make('rect', { x: box.left - at.left, y: box.top - at.top, width: box.width,
      height: box.height, fill: getComputedStyle(mark).backgroundColor }));
  }
  const ground = make('rect', { width, height,
    fill: getComputedStyle(document.documentElement).backgroundColor });
  const whole = make('svg', { width, height, xmlns: SPACE }, ground,
    make('defs', {}, still(document.getElementById('hatch'))), group);
  return [new XMLSerializer().serializeToString(whole), width, height];
}

export function addPicture(section) {
  const save = () => {
    const [text, width, height] = pictureOf(section);
    const image = new Image();
    image.onload = () => {
      const canvas = element('canvas', { width: 2 * width, height: 2 * height });
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => download(`${section.id}.png`, blob));
    };
    image.src = 'data:image/svg+xml,' + encodeURIComponent(text);
  };
  const head = section.querySelector('.head');
  if (!head.querySelector('.grow')) head.append(element('span', { class: 'grow' }));
  head.append(element('button', { type: 'button', onclick: save,
    'aria-label': `PNG of ${head.querySelector('h2').textContent}` }, 'PNG'));
}
