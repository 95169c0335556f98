const two = (number: number): string => number.toString().padStart(2, '0');

/** A time of the API, which is UTC and says so nowhere, as `datetime-local` fields of the browser's zone hold it. */
export const localOf = (instant: string): string => {
  const date = new Date(`${instant}Z`);
  const day = `${date.getFullYear().toString().padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** The reverse. @returns null: it is no time */
export const instantOf = (local: string): string | null => {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19);
};
