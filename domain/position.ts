/** Maximum position of a component, of a check group, or of a check within a group. */
export const MAX_POSITION = 1_000_000_000;

/**
 * Returns the position for a new item behind the last one.
 *
 * @param last position of the last item; 0: there are no items
 */
export const positionAfter = (last: number): number => Math.min(last + 1, MAX_POSITION);
