import { createMask, type Mask } from './masking.ts';

/** Minimum length of a line to search for; shorter lines, such as a bracket, may appear anywhere. */
const SHORTEST_LINE = 8;
/** Maximum number of lines to search for, of all values together. */
const MOST_LINES = 1_000;

/**
 * The texts to mask: the values in full, the values without surrounding white space (which scripts trim), and the lines
 * of multi-line values, since scripts print line by line.
 */
export const secretTextsOf = (values: readonly string[]): string[] => {
  const lines = values.flatMap((value) => (value.includes('\n') ? value.split(/\r?\n/) : []));
  const told = lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE);
  return [...values, ...values.map((value) => value.trim()), ...told.slice(0, MOST_LINES)];
};

/** Creates a mask for the values of the secrets that a check is bound to. */
export const maskOfSecrets = (secrets: Readonly<Record<string, string>>): Mask =>
  createMask(secretTextsOf(Object.values(secrets)));
