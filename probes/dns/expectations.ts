import type { RecordType } from '../../domain/check/types/dns.ts';
import { canonicalFormsOf } from './present/canonical-forms.ts';

/**
 * `missing`: expected answers that were not received, as the user entered them. `unexpected`: received answers that
 * were not expected, as presented.
 */
export interface Difference {
  missing: string[];
  unexpected: string[];
}

interface Meant {
  text: string;
  meanings: string[];
}

/** Compares answers with the expected ones, ignoring order and spelling. */
export const differenceOf = (type: RecordType, answers: readonly string[], expected: readonly string[]): Difference => {
  const meant = (texts: readonly string[]): Meant[] =>
    [...new Set(texts)].map((text) => ({ text, meanings: canonicalFormsOf(type, text) }));
  const [there, wanted] = [meant(answers), meant(expected)];
  return { missing: without(wanted, there), unexpected: without(there, wanted) };
};

/** Returns the texts of `ones` that have no canonical form in common with any text of `others`. */
const without = (ones: readonly Meant[], others: readonly Meant[]): string[] => {
  const known = new Set(others.flatMap(({ meanings }) => meanings));
  return ones.filter(({ meanings }) => !meanings.some((meaning) => known.has(meaning))).map(({ text }) => text);
};
