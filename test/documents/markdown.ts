/** A document whose fenced code blocks are empty lines, so that numbers of lines stay. */
export const withoutFences = (text: string): string =>
  text.replace(/^( *)(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ *\2`*~*[ \t]*$|(?![^]))/gm, (block) => block.replace(/[^\n]/g, ''));

/** A document without code, for what is read as text. */
export const withoutCode = (text: string): string => withoutFences(text).replace(/(`+)[^`]+\1/g, '');

/** The anchors of headings, as GitHub makes them: a repeated heading gets `-1`, `-2`. */
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

/** The texts of headings, without the marks of links and code. */
export const headingsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#{1,6} +(.*?)(?: +#+)? *$/gm)].map(([, heading = '']) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, ''),
  );

/** Targets of links and pictures that are no URLs: `../index.html#results`. */
export const relativeLinksOf = (text: string): string[] => {
  const read = withoutCode(text);
  return [
    ...[...read.matchAll(/\]\(<?([^()\s<>]+)>?(?: "[^"]*")?\)/g)],
    ...[...read.matchAll(/^ *\[[^\]]+\]: +<?([^\s<>]+)>?/gm)],
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|\/)/.test(target));
};

/** Texts in backquotes, outside of fenced blocks. */
export const codeSpansOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/(`+)([^`\n]+)\1/g)].map(([, , code = '']) => code.trim());

/** Cells of tables, with the number of their line. */
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
