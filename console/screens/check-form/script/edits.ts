/** A text with a selection. */
export interface Selection {
  text: string;
  /** index of the first selected character; `to`: index after the last selected character */
  from: number;
  to: number;
}

const INDENT = '  ';

/** Returns the index at which the line that contains a position starts. */
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Inserts two blanks at the cursor or, if several lines are selected, at the start of each line. */
export const indented = ({ text, from, to }: Selection): Selection => {
  if (!text.slice(from, to).includes('\n'))
    return {
      text: text.slice(0, from) + INDENT + text.slice(to),
      from: from + INDENT.length,
      to: from + INDENT.length,
    };
  return eachLine({ text, from, to }, (line) => (line === '' ? line : INDENT + line));
};

/** Removes up to two blanks at the start of each selected line. */
export const outdented = (selection: Selection): Selection =>
  eachLine(selection, (line) => line.replace(/^(?: {1,2}|\t)/, ''));

const eachLine = ({ text, from, to }: Selection, change: (line: string) => string): Selection => {
  const start = lineStart(text, from);
  // If the selection ends at the start of a line, that line does not count as selected.
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

/**
 * Inserts a line break and the indentation of the current line. After an opening bracket, indents by one more level.
 */
export const brokenLine = ({ text, from, to }: Selection): Selection => {
  const before = text.slice(lineStart(text, from), from);
  const [blanks = ''] = /^[ \t]*/.exec(before) ?? [];
  const more = /[{([]\s*$/.test(before) ? INDENT : '';
  const added = `\n${blanks}${more}`;
  return { text: text.slice(0, from) + added + text.slice(to), from: from + added.length, to: from + added.length };
};
