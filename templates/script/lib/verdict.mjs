// How verdicts look: worse and better have a colour, all others are grey; filled marks in plots are
// shown to have changed, hollow ones are not.

const LOOKS = { REGRESSED: ['▲', 'worse'], MORE: ['△', 'worse'], SLOWER: ['△', 'worse'],
  WORSE: ['△', 'worse'], LOST: ['×', 'worse'], IMPROVED: ['▼', 'better'], LESS: ['▽', 'better'],
  FASTER: ['▽', 'better'], BETTER: ['▽', 'better'], NEW: ['+', 'quiet'], GONE: ['×', 'quiet'],
  SAME: ['=', 'quiet'] };
const SHOWN = ['REGRESSED', 'IMPROVED', 'NEW', 'GONE', 'LOST'];

// The mark before the word, and the class of its colour.
export const lookOf = (verdict) => LOOKS[verdict] || ['◌', 'quiet'];
export const verdictColour = (verdict) => ({ worse: 'worsefill', better: 'betterfill' }[
  lookOf(verdict)[1]] || 'dot');
export const isShown = (verdict) => SHOWN.includes(verdict);
export const isOpen = (verdict) => !verdict || ['SAME', 'INCONCLUSIVE', 'RARE'].includes(verdict);
