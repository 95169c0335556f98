/**
 * Formats a Markdown table as Prettier does.
 *
 * @param table rows of cells in Markdown; the first row is the header
 */
export const markdownTable = (table: readonly (readonly string[])[]): string => {
  const [head = [], ...body] = table;
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), ''].join('\n');
};
