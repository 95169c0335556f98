/** Returns a text normalized for comparison: without accents and in lower case. */
export const normalizedText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const BEGINS = 0;
const BEGINS_WORD = 1;
const CONTAINS = 2;

const rankOfWord = (text: string, word: string): number | null => {
  const at = text.indexOf(word);
  if (at < 0) return null;
  if (at === 0) return BEGINS;
  const isWord = [...text.matchAll(/[\p{L}\p{N}]+/gu)].some(({ index }) => text.startsWith(word, index));
  return isWord ? BEGINS_WORD : CONTAINS;
};

/**
 * Returns how well a text matches all typed words: 0 is the best rank. Returns null if the text lacks one of the words.
 */
export const rankOf = (text: string, typed: string): number | null => {
  const target = normalizedText(text);
  let rank = 0;
  for (const word of normalizedText(typed).split(/\s+/).filter(Boolean)) {
    const ofWord = rankOfWord(target, word);
    if (ofWord === null) return null;
    rank += ofWord;
  }
  return rank;
};

/** Returns the items whose texts contain all typed words, best match first. */
export const rankedMatches = <T>(things: readonly T[], typed: string, textOf: (thing: T) => string): readonly T[] =>
  things
    .flatMap((thing) => {
      const rank = rankOf(textOf(thing), typed);
      return rank === null ? [] : [{ thing, rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ thing }) => thing);
