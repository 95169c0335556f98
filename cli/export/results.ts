import { isFields } from '../../domain/fields.ts';
import { DAY_MS, instantOf, later, laterOf, millisecondsOf, parseInstant, type Instant } from '../../domain/time.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Client } from '../apply/client.ts';
import { CSV_MARK } from '../../messages/csv.ts';
import type { Destination } from './destination.ts';
import { findCheck } from './find.ts';

export const RESULT_FORMATS = ['jsonl', 'csv'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

export interface ResultsOptions {
  check: string;
  from?: string;
  to?: string;
  format: ResultFormat;
}

/**
 * Writes the results of a check, oldest first. Results are requested one UTC day at a time, so that memory contains only
 * those of a day, and an interrupted connection is no reason to start again.
 *
 * @throws OperatorError the check does not exist, a time is invalid, or the service can't be reached
 */
export const exportResults = async (
  client: Client,
  { check: text, from, to, format }: ResultsOptions,
  { write }: Destination,
  now: Instant,
): Promise<void> => {
  const given = {
    from: from === undefined ? null : timeOf('--from', from),
    to: to === undefined ? now : timeOf('--to', to, true),
  };
  if (given.from !== null && given.from > given.to) throw new OperatorError('--from must not be later than --to.');
  const { id } = await findCheck(client, text);
  const path = `/v1/checks/${id}/results`;
  const oldest = await oldestResult(client, path);
  const start = laterOf(given.from ?? oldest ?? now, oldest ?? now);
  const end = given.to < now ? given.to : now;
  let isFirst = true;
  for (let at = start < end ? start : end; at <= end; at = startOfNextDay(at)) {
    const dayEnd = `${at.slice(0, 10)}T23:59:59.999999`;
    const query = `format=${format}&start_date=${at}&end_date=${dayEnd < end ? dayEnd : end}`;
    const file = await client.text(`${path}/export?${query}`);
    await write(format === 'csv' && !isFirst ? withoutHeader(file) : file);
    isFirst = false;
  }
};

const startOfNextDay = (at: Instant): Instant =>
  later(instantOf(Math.floor(millisecondsOf(at) / DAY_MS) * DAY_MS), DAY_MS);

/** Parses a time. A date without a time is its first instant, or its last one as an end. */
const timeOf = (option: string, text: string, isEnd = false): Instant => {
  const instant = parseInstant(text);
  if (instant === null)
    throw new OperatorError(`${option} must be an ISO 8601 time such as 2026-11-20, not "${text}".`);
  return isEnd && /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? `${text.trim()}T23:59:59.999999` : instant;
};

/** Returns the time of the oldest stored result of a check; null without results. */
const oldestResult = async (client: Client, path: string): Promise<Instant | null> => {
  const page = async (number: number): Promise<{ pages: number; at: unknown }> => {
    const list = await client.get(`${path}?page=${number}&page_size=1`);
    const { results, pagination } = isFields(list) ? list : {};
    const first: unknown = Array.isArray(results) ? results[0] : null;
    const pages = isFields(pagination) ? Number(pagination['total_pages']) : 0;
    return { pages, at: isFields(first) ? first['created_at'] : null };
  };
  const newest = await page(1);
  const { at } = newest.pages > 1 ? await page(newest.pages) : newest;
  return typeof at === 'string' ? parseInstant(at) : null;
};

/** The first line of each file names the columns, and contains no line break. */
const withoutHeader = (file: string): string => file.replace(CSV_MARK, '').replace(/^[^\n]*\n/, '');
