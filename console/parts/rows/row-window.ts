/** The rendered rows of a long list. Two spacers replace the others. */
export interface RowWindow {
  /** the first rendered row, from 0 */
  first: number;
  /** the row after the last rendered one */
  end: number;
  /** heights of the spacers in pixels */
  above: number;
  below: number;
}

/** Number of rendered rows. */
export const WINDOW_ROWS = 40;

/** Windows start at multiples of this, so that not every scrolled pixel renders again. */
const STEP = 5;

/**
 * Returns the rows to render of a list with equal row heights.
 *
 * @param offset distance in pixels by which the list's start is above the viewport; negative: below it
 * @param visible height of the viewport in pixels
 */
export const windowOf = (count: number, rowHeight: number, offset: number, visible: number): RowWindow => {
  const rows = Math.max(WINDOW_ROWS, Math.ceil(visible / rowHeight) + 2 * STEP);
  const middle = (offset + visible / 2) / rowHeight;
  const wanted = Math.floor((middle - rows / 2) / STEP) * STEP;
  const first = Math.max(0, Math.min(wanted, count - rows));
  const end = Math.min(count, first + rows);
  return { first, end, above: first * rowHeight, below: (count - end) * rowHeight };
};
