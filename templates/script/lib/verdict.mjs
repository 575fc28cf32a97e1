// How verdicts look: worse and better have a colour, all others are grey; filled marks in plots are
// shown to have changed, hollow ones are not. The words are those of the data.

// Verdict: [mark before the word, class of its colour, 1: shown to have changed].
export const looks = {};
export const lookOf = (verdict) => looks[verdict] || ['', 'quiet', 0];
export const verdictColour = (verdict) => ({ worse: 'worsefill', better: 'betterfill' }[
  lookOf(verdict)[1]] || 'dot');
export const isShown = (verdict) => Boolean(lookOf(verdict)[2]);
export const isOpen = (verdict) => !verdict || ['SAME', 'INCONCLUSIVE', 'RARE'].includes(verdict);
