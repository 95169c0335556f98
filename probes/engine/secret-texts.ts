import { createMask, type Mask } from './masking.ts';

/** Minimum length of a line to mask, in characters. Shorter lines, such as a bracket, appear in unrelated text. */
const SHORTEST_LINE = 8;
/** Maximum number of lines to mask, of all values together. */
const MOST_LINES = 1_000;

/**
 * Returns the texts to mask: the values, the values without surrounding white space (because scripts trim them), and
 * the lines of multi-line values (because scripts print them line by line).
 */
export const secretTextsOf = (values: readonly string[]): string[] => {
  const lines = values.flatMap((value) => (value.includes('\n') ? value.split(/\r?\n/) : []));
  const told = lines.map((line) => line.trim()).filter((line) => line.length >= SHORTEST_LINE);
  return [...values, ...values.map((value) => value.trim()), ...told.slice(0, MOST_LINES)];
};

/** Creates a mask for the values of the secrets that a check is bound to. */
export const maskOfSecrets = (secrets: Readonly<Record<string, string>>): Mask =>
  createMask(secretTextsOf(Object.values(secrets)));
