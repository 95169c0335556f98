import { COLORS, CONTENT_WIDTH, PAGE, type Sheet } from './sheet.ts';

export interface Column<Row> {
  title: string;
  /** width in points; the column without a width gets the remaining space */
  width?: number;
  align?: 'left' | 'right';
  /** whether a long text continues on further lines of its row; default: false, so that it ends with an ellipsis */
  wraps?: boolean;
  /** one line of text, or a function that draws the cell */
  cell: (row: Row) => string | Draw;
  color?: (row: Row) => string | undefined;
}

/** Draws into a rectangle. */
export type Draw = (x: number, y: number, width: number, height: number) => void;

const ROW = 17;
/** Height of each further line of a row, in points. */
const LINE = 12;
const SIZE = 8.5;
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
    const cells = placed.map(({ column, x, width }) => {
      const cell = column.cell(row);
      const isWrapped = column.wraps === true && typeof cell === 'string';
      return { column, x, width, parts: isWrapped ? sheet.linesOf(cell, width - 4, { size: SIZE }) : [cell] };
    });
    const height = ROW + LINE * (Math.max(...cells.map(({ parts }) => parts.length)) - 1);
    if (sheet.need(height)) head();
    for (const { column, x, width, parts } of cells) {
      const color = column.color?.(row) ?? COLORS.text;
      for (const [index, part] of parts.entries()) {
        const y = sheet.y + 3 + LINE * index;
        if (typeof part === 'function') part(x + 2, y, width - 4, height - 6);
        else sheet.line(part, x + 2, y, width - 4, { size: SIZE, color, align: column.align ?? 'left' });
      }
    }
    sheet.y += height;
    sheet.document
      .moveTo(PAGE.margin, sheet.y)
      .lineTo(PAGE.width - PAGE.margin, sheet.y)
      .lineWidth(0.5)
      .stroke(COLORS.line);
  }
};
