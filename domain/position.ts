/** Largest position among siblings that can be sent: of components, check groups, and checks in a group. */
export const MAX_POSITION = 1_000_000_000;

/** The position after the last one of those that are there; 0: there are none. */
export const positionAfter = (last: number): number => Math.min(last + 1, MAX_POSITION);
