import { readError, type ReadError } from './playwright-error.ts';
import { cut } from './texts.ts';

/** Maximum length of a value in a sentence, in characters. */
const LONGEST_VALUE = 200;
/** Maximum number of lines of a longer text. */
const MOST_LINES = 6;

/**
 * Explains a failure in plain words: the expected and the received value, and what the script was waiting for. The
 * result is the end of a sentence, without a full stop: `the title: expected "A", received "B"`.
 *
 * @param text the error, masked, without colours and stack (error-text.ts)
 */
export const failureIn = (text: string): string => {
  const read = readError(text);
  return read.kind === 'expectation' ? expectation(read) : thrown(read);
};

type Expectation = Extract<ReadError, { kind: 'expectation' }>;
type Thrown = Extract<ReadError, { kind: 'thrown' }>;

/** Words for the expected value of assertions that have none. */
const EXPECTED: Readonly<Record<string, string>> = {
  toBeDefined: 'something defined',
  toBeFalsy: 'something falsy',
  toBeNaN: 'NaN',
  toBeNull: 'null',
  toBeTruthy: 'something truthy',
  toBeUndefined: 'undefined',
};

/** Words for the subject of assertions on pages. */
const LOOKED_AT: Readonly<Record<string, string>> = { toHaveTitle: 'the title', toHaveURL: 'the URL' };

const expectation = ({ about, matcher, rows, difference, log }: Expectation): string => {
  const row = (label: string): string | undefined => rows.find(([name]) => name === label)?.[1];
  const name = matcher.replace(/^not /, '');
  const subject = about !== '' ? inLines(about) : (row('Locator') ?? LOOKED_AT[name]);
  const where = subject === undefined ? '' : `${subject}: `;
  if (name === 'toBeOK') return `${where}${answered(matcher, log)}`;
  if (difference.length > 0) return `${where}expected (-) and received (+) differ:\n${firstOf(difference).join('\n')}`;
  const values = rows
    .filter(([label]) => /^(?:Expected|Received)/.test(label))
    .map(([label, value]) => `${label.charAt(0).toLowerCase()}${label.slice(1)} ${shortened(value)}`);
  const expected = values.some((value) => value.startsWith('expected'))
    ? []
    : [`expected ${matcher === name ? '' : 'not '}${EXPECTED[name] ?? name}`];
  const error = row('Error');
  const timeout = row('Timeout') ?? waitedIn(log);
  return [
    `${where}${[...expected, ...values, ...(error === undefined ? [] : [error])].join(', ')}`,
    ...(timeout === undefined ? [] : [` (waited ${spanOf(timeout)})`]),
  ].join('');
};

/** Explains a failure of `toBeOK`, whose log contains the request and its response. */
const answered = (matcher: string, log: readonly string[]): string => {
  const asked = log.find((line) => line.startsWith('→ '))?.slice(2);
  const answer = log.find((line) => line.startsWith('← '))?.slice(2) ?? 'something else';
  const wanted = matcher.startsWith('not ') ? 'a status that is not' : 'a status from 200 to 299';
  return `expected ${wanted}${matcher.startsWith('not ') ? ' from 200 to 299' : ''}, received ${shortened(answer)}${asked === undefined ? '' : ` from ${shortened(asked)}`}`;
};

const waitedIn = (log: readonly string[]): string | undefined => /Timeout (\d+ms) exceeded/.exec(log.join('\n'))?.[1];

/** Matches lines of Playwright's log that say why an element can't be used. */
const IN_THE_WAY = /intercepts pointer events|element is not \w+|outside of the viewport|did not find some options/;

/** Matches `locator.click: Timeout 500ms exceeded.`, `Test timeout of 700ms exceeded.` */
const TOO_LATE = /^(?:([\w.]+): )?(?:Test timeout of|Timeout) (\d+ms) exceeded/;

const thrown = ({ said, log }: Thrown): string => {
  const text = inLines(said.replace(/^([\w.]+): Error: /, '$1: ')) || 'an error without a message';
  const late = TOO_LATE.exec(said);
  if (!late) return withoutStop(text);
  const [, what = 'it', span = ''] = late;
  const waiting = log.map((line) => line.replace(/^- /, ''));
  const last =
    waiting.findLast((line) => /^(?:waiting for|navigating to)/.test(line)) ??
    waiting.find((line) => line.startsWith('→ '))?.replace('→ ', 'requesting ');
  const reason = waiting.findLast((line) => IN_THE_WAY.test(line));
  const more = [last, reason].flatMap((line) => (line === undefined ? [] : [`, ${shortened(line)}`]));
  return `${what} was not done within ${spanOf(span)}${more.join('')}`;
};

const withoutStop = (text: string): string => text.replace(/\.$/, '');

const firstOf = (lines: readonly string[]): string[] =>
  lines.length > MOST_LINES
    ? [...lines.slice(0, MOST_LINES - 1).map((line) => cut(line, LONGEST_VALUE)), '…']
    : lines.map((line) => cut(line, LONGEST_VALUE));

const inLines = (text: string): string => firstOf(text.split('\n').filter((line) => line.trim() !== '')).join('\n');

/** Formats a value on one line. */
const shortened = (value: string): string => cut(value.replaceAll(/\s*\n\s*/g, ' ').trim(), LONGEST_VALUE);

/** Formats a timeout of Playwright: `30000ms` → `30 s`. */
const spanOf = (milliseconds: string): string => {
  const span = Number.parseInt(milliseconds, 10);
  if (Number.isNaN(span)) return milliseconds;
  return span >= 1_000 ? `${span / 1_000} s` : `${span} ms`;
};
