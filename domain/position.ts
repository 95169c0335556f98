/** Maximum position among siblings, for components, check groups, and checks in a group. */
export const MAX_POSITION = 1_000_000_000;

/** The position after the last one. @param last 0: there are none */
export const positionAfter = (last: number): number => Math.min(last + 1, MAX_POSITION);
