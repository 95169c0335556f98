/**
 * The range of rows of a long list that are rendered. One spacer replaces the rows above the range, and another spacer
 * replaces the rows below the range.
 */
export interface RowWindow {
  /** index of the first rendered row, from 0 */
  first: number;
  /** index after the last rendered row */
  end: number;
  /** heights of the spacers in pixels */
  above: number;
  below: number;
}

/** Minimum number of rendered rows. */
export const WINDOW_ROWS = 40;

/**
 * The index of the first rendered row is a multiple of this number, so that scrolling by a few pixels does not change
 * the rendered rows.
 */
const STEP = 5;

/**
 * Returns the range of rows to render. All rows of the list have the same height.
 *
 * @param offset distance in pixels by which the top of the list is above the viewport; negative: the top is below the
 * start of the viewport
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
