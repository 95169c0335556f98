import { PARTS } from './parts.ts';

const code = (path: string): string => `\`${path}\``;

/** The table of CONTRIBUTING.md that says when to run which part of the long suite. */
export const partsTable = (): string => {
  const rows = PARTS.map(({ name, covers, after }) => [
    code(`npm run test:long -- ${name}`),
    covers,
    after.length > 0 ? after.map(code).join(', ') : 'what its files import',
  ]);
  const table = [['command', 'covers', 'run it after a change to'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), ''].join('\n');
};
