import { isFields } from '../../domain/fields.ts';
import { headText, parseHead } from '../../domain/log/head.ts';
import { STATEMENT_FORMAT, type Statement } from '../../domain/statement/content.ts';
import { isStatementMonth } from '../../domain/statement/month.ts';
import { DomainError } from '../../domain/errors.ts';
import { CLOCKS_DIFFER_MS, INSTANT_PATTERN, later, type Instant } from '../../domain/time.ts';
import { parseUniqueJson } from '../../domain/unique-json.ts';
import type { PageHistory } from '../../projections/past/page-history.ts';
import { differencesBetween, type Difference } from './comparison.ts';
import { findStatementEdits, type StatementEdits } from './edits.ts';
import { readStatementFigures } from './figures.ts';

/** The outcome of a verification. */
export type Verdict =
  | { verdict: 'unchanged' }
  /** the figures follow from the recorded events, and later events change them */
  | ({ verdict: 'changed' } & StatementEdits)
  | { verdict: 'not_proven'; reasons: string[] };

/** Maximum number of differing values that are listed. */
const MOST_DIFFERENCES = 20;

/**
 * Parses a statement. Accepts figures in any form, because they are only compared with computed figures. Accepts any
 * white space, order of names and byte order mark, but no name that an object repeats.
 *
 * @returns null if the text is not a statement
 */
export const parseStatement = (text: string): Statement | null => {
  let value: unknown;
  try {
    value = parseUniqueJson(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  if (!isFields(value) || value['format'] !== STATEMENT_FORMAT) return null;
  const { page, month, made_at, log } = value;
  const isWhole =
    isFields(page) &&
    isText(page['id']) &&
    isText(month) &&
    isStatementMonth(month) &&
    isText(made_at) &&
    new RegExp(INSTANT_PATTERN).test(made_at) &&
    !Number.isNaN(Date.parse(`${made_at}Z`)) &&
    isFields(log) &&
    isText(log['position']) &&
    isText(log['head']) &&
    parseHead(log['head']) !== null;
  return isWhole ? (value as unknown as Statement) : null;
};

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Proves a statement from the log: its figures must follow from the events that it names. Then computes the figures
 * from all events, and names the events that changed the figures afterwards.
 */
export const verifyStatement = async (
  statement: Statement,
  history: PageHistory,
  now: Instant,
  signal?: AbortSignal,
): Promise<Verdict> => {
  const reasons = await reasonsAgainst(statement, history, now, signal);
  if (reasons.length > 0) return { verdict: 'not_proven', reasons };
  const { page, month, made_at: madeAt } = statement;
  const count = parseHead(statement.log.head)?.events ?? 0;
  const found = await findStatementEdits(history, count, { pageId: page.id, month, madeAt }, signal);
  return found.edits.length === 0 && !found.isTruncated ? { verdict: 'unchanged' } : { verdict: 'changed', ...found };
};

const reasonsAgainst = async (
  statement: Statement,
  history: PageHistory,
  now: Instant,
  signal: AbortSignal | undefined,
): Promise<string[]> => {
  const { page, month, made_at: madeAt, log } = statement;
  const { events, headAfter, readAfter } = history;
  const head = parseHead(log.head);
  if (events.length === 0) return [`The log has no page with the id ${page.id}.`];
  if (!head) return ['The head is invalid.'];
  if (events.length < head.events) {
    const sentence = `The log has only ${events.length} events of the page, but the statement was made from ${head.events}: events were left out, or an older copy was restored.`;
    return [sentence];
  }
  if (headText(await headAfter(head.events, signal)) !== log.head.toLowerCase())
    return [`One of the first ${head.events} events of the page was changed, left out, added or reordered since.`];
  const late = timeProblem(events, head.events, madeAt, now);
  if (late !== null) return [late];
  const expectedLog = { position: log.position, head: log.head };
  try {
    const figures = await readStatementFigures(readAfter(head.events), { pageId: page.id, month, madeAt }, signal);
    return sentencesOf(differencesBetween(statement, { format: STATEMENT_FORMAT, ...figures, log: expectedLog }));
  } catch (error) {
    if (error instanceof DomainError) return [error.message];
    throw error;
  }
};

/**
 * Compares the time of a statement with the times of the events around it. Returns the contradiction as a sentence, or
 * null.
 */
const timeProblem = (events: PageHistory['events'], count: number, madeAt: Instant, now: Instant): string | null => {
  const [last, next] = [events[count - 1], events[count]];
  if (madeAt > later(now, CLOCKS_DIFFER_MS)) return 'The statement is from the future.';
  if (last && last.metadata.recorded_at > madeAt)
    return `The statement contains an event that was recorded later, at ${last.metadata.recorded_at}.`;
  if (next && later(next.metadata.recorded_at, CLOCKS_DIFFER_MS) < madeAt)
    return `The statement leaves out an event that was recorded earlier, at ${next.metadata.recorded_at}.`;
  return null;
};

const sentencesOf = (differences: readonly Difference[]): string[] => {
  const shown = differences
    .slice(0, MOST_DIFFERENCES)
    .map(({ path, old, new: now }) => `${path}: the statement has ${textOf(old)}, the log gives ${textOf(now)}.`);
  const more = differences.length - shown.length;
  return more > 0 ? [...shown, `${more} more values differ.`] : shown;
};

/** Maximum length of a value in a sentence, in characters. */
const LONGEST_VALUE = 100;

const textOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
};
