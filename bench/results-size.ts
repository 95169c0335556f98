/** The disk space of a stored web result with 12 headers: its row in the log, its document, its index entries. */
import { webResult } from './result-samples.ts';
import { storedSizeOf } from './stored-size.ts';
import type { Row } from './table.ts';

const RESULTS = 20_000;
const CHECKS = 100;
const AIM = 1_536;

export const bench = async (): Promise<Row[]> => {
  const start = Date.parse('2026-11-20T00:00:00Z');
  const results = Array.from({ length: RESULTS }, (_, index) =>
    webResult(`check${(index % CHECKS).toString().padStart(7, '0')}`, start + Math.floor(index / CHECKS) * 60_000),
  );
  const { row, documents } = await storedSizeOf(results);
  const bytes = (count: number): string => `${Math.round(count).toLocaleString('en')} B`;
  return [
    { what: 'a web result of 12 headers, row in the log', figure: bytes(row) },
    { what: '… document, index entries and its part of the hours', figure: bytes(documents) },
    { what: '… in all', figure: bytes(row + documents), ratio: (row + documents) / AIM, aim: '≤ 1.5 KiB (ratio 1)' },
  ];
};
