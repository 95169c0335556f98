/** A text with a selection. */
export interface Selection {
  text: string;
  /** first selected character, and the one after the last */
  from: number;
  to: number;
}

const INDENT = '  ';

/** Returns the start of the line at a position. */
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Inserts two blanks, at the cursor or before each selected line. */
export const indented = ({ text, from, to }: Selection): Selection => {
  if (!text.slice(from, to).includes('\n'))
    return {
      text: text.slice(0, from) + INDENT + text.slice(to),
      from: from + INDENT.length,
      to: from + INDENT.length,
    };
  return eachLine({ text, from, to }, (line) => (line === '' ? line : INDENT + line));
};

/** Removes up to two blanks before each selected line. */
export const outdented = (selection: Selection): Selection =>
  eachLine(selection, (line) => line.replace(/^(?: {1,2}|\t)/, ''));

const eachLine = ({ text, from, to }: Selection, change: (line: string) => string): Selection => {
  const start = lineStart(text, from);
  // A line is not selected if the selection ends at its start.
  const end = to > from && text[to - 1] === '\n' ? to - 1 : to;
  const lines = text.slice(start, end).split('\n');
  const changed = lines.map(change);
  const [first = '', firstChanged = ''] = [lines[0], changed[0]];
  const after = changed.join('\n');
  return {
    text: text.slice(0, start) + after + text.slice(end),
    from: Math.max(start, from + firstChanged.length - first.length),
    to: to + after.length - (end - start),
  };
};

/** Inserts a line break with the indentation of the current line, and more after a bracket. */
export const brokenLine = ({ text, from, to }: Selection): Selection => {
  const before = text.slice(lineStart(text, from), from);
  const [blanks = ''] = /^[ \t]*/.exec(before) ?? [];
  const more = /[{([]\s*$/.test(before) ? INDENT : '';
  const added = `\n${blanks}${more}`;
  return { text: text.slice(0, from) + added + text.slice(to), from: from + added.length, to: from + added.length };
};
