const two = (number: number): string => number.toString().padStart(2, '0');

/**
 * Converts an API time (UTC without a designator) to the value of a `datetime-local` field in the browser's time zone.
 */
export const localOf = (instant: string): string => {
  const date = new Date(`${instant}Z`);
  const day = `${date.getFullYear().toString().padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** Converts the value of a `datetime-local` field to an API time. @returns null if the value is not a time */
export const instantOf = (local: string): string | null => {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19);
};
