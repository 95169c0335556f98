import type { RecordType } from '../../domain/check/types/dns.ts';
import { meaningsOf } from './present/meaning.ts';

/** How answers differ from the expected ones; each as it was presented or written. */
export interface Difference {
  missing: string[];
  unexpected: string[];
}

/** Compares answers with the expected ones, in whatever order and spelling. */
export const differenceOf = (
  type: RecordType,
  answers: readonly string[],
  expected: readonly string[],
): Difference => ({ missing: without(type, expected, answers), unexpected: without(type, answers, expected) });

/** Those that mean none of the others. */
const without = (type: RecordType, texts: readonly string[], others: readonly string[]): string[] => {
  const meant = new Set(others.flatMap((text) => meaningsOf(type, text)));
  return [...new Set(texts)].filter((text) => !meaningsOf(type, text).some((meaning) => meant.has(meaning)));
};
