// The scales of d3 that plots use, each from its file: the index of d3-scale brings along calendars
// and colours, which no page has, a quarter of a page's script.
export { default as scaleBand, point as scalePoint } from 'd3-scale/src/band.js';
export { default as scaleLinear } from 'd3-scale/src/linear.js';
export { default as scaleLog } from 'd3-scale/src/log.js';
