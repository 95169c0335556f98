/** Rows of a long list that are drawn; the others are two empty spaces of their height. */
export interface RowWindow {
  /** the first row that is drawn, from 0 */
  first: number;
  /** the row after the last one */
  end: number;
  /** heights of the spaces, pixels */
  above: number;
  below: number;
}

/** Rows that are drawn. */
export const WINDOW_ROWS = 40;

/** Windows begin at multiples of this, so that not every pixel draws the rows again. */
const STEP = 5;

/**
 * The rows to draw of a list of equal rows.
 *
 * @param offset how far the list's beginning is above the visible part, pixels; negative: below its beginning
 * @param visible height of the visible part, pixels
 */
export const windowOf = (count: number, rowHeight: number, offset: number, visible: number): RowWindow => {
  const rows = Math.max(WINDOW_ROWS, Math.ceil(visible / rowHeight) + 2 * STEP);
  const middle = (offset + visible / 2) / rowHeight;
  const wanted = Math.floor((middle - rows / 2) / STEP) * STEP;
  const first = Math.max(0, Math.min(wanted, count - rows));
  const end = Math.min(count, first + rows);
  return { first, end, above: first * rowHeight, below: (count - end) * rowHeight };
};
