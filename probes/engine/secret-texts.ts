import { createMask, type Mask } from './masking.ts';

/** Shorter lines of a value may be anything: brackets, say. */
const SHORTEST_LINE = 8;
/** How many lines are searched for, of all values together. */
const MOST_LINES = 1_000;

/**
 * What nobody may learn of secrets: their values as a whole, also without the blanks around them, which scripts cut off,
 * and the lines of a longer one, since what a script prints comes line by line.
 */
export const textsOf = (values: readonly string[]): string[] => {
  const lines = values.flatMap((value) => (value.includes('\n') ? value.split(/\r?\n/) : []));
  const told = lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE);
  return [...values, ...values.map((value) => value.trim()), ...told.slice(0, MOST_LINES)];
};

/** Makes a mask of the values of the secrets that a check is bound to. */
export const maskOfSecrets = (secrets: Readonly<Record<string, string>>): Mask =>
  createMask(textsOf(Object.values(secrets)));
