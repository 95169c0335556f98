/** One row of the table: a figure, and its ratio to a figure of another program (the peer) measured in the same run. */
export interface Row {
  what: string;
  /** the figure with its unit: `5,120/s`, `12 ms` */
  figure: string;
  /** the peer and its figure: `bare SQLite driver 7,300/s` */
  peer?: string;
  ratio?: number;
  /** the target: `≥ 0.7`, `< 50 ms` */
  aim?: string;
}

export const perSecond = (count: number, milliseconds: number): string =>
  `${Math.round((count / milliseconds) * 1_000).toLocaleString('en')}/s`;

/** Returns the value below which a fraction (0 to 1) of the values lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const printTable = (rows: readonly Row[]): void => {
  const cells = rows.map((row) => [row.what, row.figure, row.peer ?? '', row.ratio?.toFixed(2) ?? '', row.aim ?? '']);
  const head = ['what', 'figure', 'compared with', 'ratio', 'aim'];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)));
  const line = (parts: readonly string[]): string =>
    `| ${parts.map((part, i) => part.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  console.log(line(head));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const cell of cells) console.log(line(cell));
};
