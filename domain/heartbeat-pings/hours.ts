import type { Instant } from '../time.ts';

/** Returns the first instant of the UTC hour that contains an instant. */
export const pingHourOf = (instant: Instant): Instant => `${instant.slice(0, 13)}:00:00.000000`;
