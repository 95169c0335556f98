import { COLORS, CONTENT_WIDTH, PAGE, type Sheet } from './sheet.ts';

export interface Column<Row> {
  title: string;
  /** width in points; the column without a width gets the remaining space */
  width?: number;
  align?: 'left' | 'right';
  /** one line of text, or a function that draws the cell */
  cell: (row: Row) => string | Draw;
  color?: (row: Row) => string | undefined;
}

/** Draws into a rectangle. */
export type Draw = (x: number, y: number, width: number, height: number) => void;

const ROW = 17;
const GAP = 8;

/** Writes a table on as many pages as needed. Each page repeats the header. */
export const table = <Row>(sheet: Sheet, columns: readonly Column<Row>[], rows: readonly Row[]): void => {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const gaps = GAP * (columns.length - 1);
  const widths = columns.map(({ width }) => width ?? CONTENT_WIDTH - fixed - gaps);
  const placed = columns.map((column, index) => ({
    column,
    width: widths[index] ?? 0,
    x: PAGE.margin + widths.slice(0, index).reduce((sum, width) => sum + width + GAP, 0),
  }));

  const head = (): void => {
    sheet.document.rect(PAGE.margin, sheet.y, CONTENT_WIDTH, ROW).fill(COLORS.head);
    for (const { column, x, width } of placed) {
      const style = { size: 7.5, weight: 'bold', color: COLORS.muted, align: column.align ?? 'left' } as const;
      sheet.line(column.title, x + 2, sheet.y + 4, width - 4, style);
    }
    sheet.y += ROW;
  };

  // Starts a new page if there is no room for the header and the first rows.
  sheet.need(3 * ROW);
  head();
  for (const row of rows) {
    if (sheet.need(ROW)) head();
    for (const { column, x, width } of placed) {
      const cell = column.cell(row);
      if (typeof cell === 'function') cell(x + 2, sheet.y + 3, width - 4, ROW - 6);
      else {
        const color = column.color?.(row) ?? COLORS.text;
        sheet.line(cell, x + 2, sheet.y + 3, width - 4, { size: 8.5, color, align: column.align ?? 'left' });
      }
    }
    sheet.y += ROW;
    sheet.document
      .moveTo(PAGE.margin, sheet.y)
      .lineTo(PAGE.width - PAGE.margin, sheet.y)
      .lineWidth(0.5)
      .stroke(COLORS.line);
  }
};
