/** How many names a sentence lists. */
const MAX_NAMES = 20;

/** Collects sentences on what Uptrail cannot represent. */
export interface Remarks {
  /** Adds a sentence, which may be about one object. */
  add: (sentence: string, name?: string) => void;
  /** Adds a sentence about one object. Objects with the same sentence share a line that lists their names. */
  about: (name: string, sentence: string) => void;
  /** Returns the sentences in the order in which they were first added. */
  sentences: () => string[];
}

export const createRemarks = (): Remarks => {
  const namesBySentence = new Map<string, Set<string>>();
  const namesOf = (sentence: string): Set<string> => {
    const names = namesBySentence.get(sentence) ?? new Set();
    namesBySentence.set(sentence, names);
    return names;
  };
  return {
    add: (sentence, name) => {
      const names = namesOf(sentence);
      if (name !== undefined) names.add(name);
    },
    about: (name, sentence) => {
      namesOf(sentence).add(name);
    },
    sentences: () =>
      [...namesBySentence].map(([sentence, names]) =>
        names.size === 0 ? sentence : `${listNames([...names])}: ${sentence}`,
      ),
  };
};

/** Lists names for a sentence: `"a", "b" and 3 more`. */
export const listNames = (names: readonly string[], most = MAX_NAMES): string => {
  const shown = names.slice(0, most).map((name) => `"${name}"`);
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
};
