/**
 * Maximum number of code points in a line. Only lines with many characters without width, such as combining accents,
 * reach this limit.
 */
const LONGEST_LINE = 500;

/**
 * Breaks a text into lines of at most `width`. Words that are wider than a line are broken.
 *
 * @param widthOf returns the width of a text on one line, in the unit of `width`. Because it takes time proportional to
 * the length of the text, this function calls it only with short texts
 */
export const breakLines = (text: string, width: number, widthOf: (text: string) => number): string[] => {
  const lines: string[] = [];
  const fits = (line: string): boolean => line.length <= LONGEST_LINE && widthOf(line) <= width;
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter((one) => one !== '')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      const parts = fits(word) ? [word] : partsOf(Array.from(word), fits);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) ?? '';
    }
    lines.push(line);
  }
  return lines;
};

/** Splits a word into parts that fit, of at least one character. */
const partsOf = (characters: readonly string[], fits: (part: string) => boolean): string[] => {
  const parts: string[] = [];
  for (let from = 0; from < characters.length;) {
    const partTo = (to: number): string => characters.slice(from, to).join('');
    let [fitting, tooMany] = [from + 1, Math.min(characters.length, from + LONGEST_LINE) + 1];
    while (tooMany - fitting > 1) {
      const middle = Math.floor((fitting + tooMany) / 2);
      if (fits(partTo(middle))) fitting = middle;
      else tooMany = middle;
    }
    parts.push(partTo(fitting));
    from = fitting;
  }
  return parts;
};
