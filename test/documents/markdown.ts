/** Replaces the lines of fenced code blocks by empty lines, so that line numbers do not change. */
export const withoutFences = (text: string): string =>
  text.replace(/^( *)(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ *\2`*~*[ \t]*$|(?![^]))/gm, (block) => block.replace(/[^\n]/g, ''));

/** Removes code blocks and code spans from a document. */
export const withoutCode = (text: string): string => withoutFences(text).replace(/(`+)[^`]+\1/g, '');

/** Returns the anchors that GitHub gives the headings of a document. A repeated heading gets `-1`, `-2`. */
export const anchorsOf = (text: string): Set<string> => {
  const anchors = new Set<string>();
  for (const heading of headingsOf(text)) {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replace(/ /g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
};

/** Returns the text of each heading, without the markup of links and code. */
export const headingsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#{1,6} +(.*?)(?: +#+)? *$/gm)].map(([, heading = '']) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, ''),
  );

/** Returns the relative targets of links and pictures, such as `../index.html#results`. */
export const relativeLinksOf = (text: string): string[] => {
  const read = withoutCode(text);
  return [
    ...[...read.matchAll(/\]\(<?([^()\s<>]+)>?(?: "[^"]*")?\)/g)],
    ...[...read.matchAll(/^ *\[[^\]]+\]: +<?([^\s<>]+)>?/gm)],
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|\/)/.test(target));
};

/** Returns the texts in backquotes outside of fenced code blocks. */
export const codeSpansOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/(`+)([^`\n]+)\1/g)].map(([, , code = '']) => code.trim());

/** Returns the cells of all tables, each with its line number. */
export const cellsOf = (text: string): { line: number; cell: string }[] =>
  withoutFences(text)
    .split('\n')
    .flatMap((row, index) =>
      row.startsWith('|')
        ? row
            .slice(1)
            .split(/(?<!\\)\|/)
            .map((cell) => ({ line: index + 1, cell: cell.trim() }))
        : [],
    );
