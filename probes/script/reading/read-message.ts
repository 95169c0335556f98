import type { SandboxMessage, ScriptError, PageRecord, PageRequest, RequestTiming } from '../protocol.ts';

/** A message from a sandbox violates the protocol. The error's message follows `it sent an invalid message:`. */
export class InvalidMessage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidMessage';
  }
}

/** Maximum length of each kind of text, in characters. Longer texts are cut. */
const LONGEST = { name: 1_000, error: 16_384, log: 65_536, url: 4_096, header: 8_192 } as const;

const MOST_HEADERS = 100;
/** Maximum number of requests of a page, as in the API. */
const MOST_REQUESTS = 50;
const MOST_ERRORS = 50;
const MOST_TITLES = 20;
/** Highest number by which a message can refer to a test, step or page, and highest line number. */
const MOST_NUMBER = 1_000_000;
/** Maximum duration in a message, in milliseconds: a day. No run takes longer. */
const LONGEST_TIME = 86_400_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Validates a message from a sandbox. Copies only known fields, so the result contains nothing else.
 *
 * @throws InvalidMessage
 */
export const parseMessage = (message: unknown): SandboxMessage => {
  const fields = fieldsOf(message);
  switch (fields['type']) {
    case 'log':
      return {
        type: 'log',
        level: oneOf(fields['level'], ['log', 'info', 'warn', 'error', 'debug']),
        message: text(fields['message'], LONGEST.log),
        timestamp: instant(fields['timestamp']),
      };
    case 'testBegin':
      return {
        type: 'testBegin',
        test: number(fields['test']),
        titles: list(fields['titles'], MOST_TITLES).map((title) => text(title, LONGEST.name)),
        line: number(fields['line']),
      };
    case 'stepBegin':
      return {
        type: 'stepBegin',
        test: number(fields['test']),
        step: number(fields['step']),
        parent: orNull(fields['parent'], number),
        category: text(fields['category'], LONGEST.name),
        name: text(fields['name'], LONGEST.name),
        line: orNull(fields['line'], number),
      };
    case 'stepEnd':
      return {
        type: 'stepEnd',
        test: number(fields['test']),
        step: number(fields['step']),
        duration: time(fields['duration']),
        error: orNull(fields['error'], errorOf),
      };
    case 'testEnd':
      return {
        type: 'testEnd',
        test: number(fields['test']),
        status: oneOf(fields['status'], ['passed', 'failed', 'timedOut', 'skipped', 'interrupted']),
        duration: time(fields['duration']),
        errors: list(fields['errors'], MOST_ERRORS).map(errorOf),
        softErrors: list(fields['softErrors'], MOST_ERRORS).map(errorOf),
      };
    case 'page':
      return { type: 'page', page: number(fields['page']), ...pageOf(fields) };
    case 'file':
      return {
        type: 'file',
        test: orNull(fields['test'], number),
        role: oneOf(fields['role'], ['screenshot', 'video']),
        name: text(fields['name'], LONGEST.name),
        contentType: text(fields['contentType'], 100),
        size: number(fields['size'], Number.MAX_SAFE_INTEGER),
      };
    case 'fatal':
      return { type: 'fatal', error: errorOf(fields['error']), compiling: fields['compiling'] === true };
    case 'done':
      return { type: 'done', tests: number(fields['tests']) };
    default:
      throw new InvalidMessage('an unknown kind of message');
  }
};

const fieldsOf = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidMessage('something other than an object');
  return value as Fields;
};

const list = (value: unknown, most: number): unknown[] => {
  if (!Array.isArray(value)) throw new InvalidMessage('something other than a list');
  return value.slice(0, most);
};

/** Validates a text. Shortens it, and removes control characters except line breaks and tabs. */
const text = (value: unknown, longest: number): string => {
  if (typeof value !== 'string') throw new InvalidMessage('something other than a text');
  const cut = value.length > longest ? `${value.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : value;
  // Replaces lone surrogates, which can't be written to a file.
  return Buffer.from(cut).toString('utf8').replace(CONTROLS, '');
};

// Matches terminal escape sequences as a whole, then single control characters.
const CONTROLS =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const number = (value: unknown, most = MOST_NUMBER): number => {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most)
    throw new InvalidMessage('a wrong number');
  return value as number;
};

const time = (value: unknown): number => {
  if (typeof value !== 'number' || !(value >= 0 && value <= LONGEST_TIME)) throw new InvalidMessage('a wrong time');
  return value;
};

/** Validates a time of a request. The time is -1 if its event did not happen. */
const moment = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InvalidMessage('a wrong time');
  return Math.max(-1, Math.min(value, Number.MAX_SAFE_INTEGER));
};

const instant = (value: unknown): string => {
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidMessage('a wrong time');
  return new Date(at).toISOString();
};

const oneOf = <T extends string>(value: unknown, all: readonly T[]): T => {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new InvalidMessage('an unknown word');
  return found;
};

const orNull = <T>(value: unknown, read: (value: unknown) => T): T | null => (value === null ? null : read(value));

const errorOf = (value: unknown): ScriptError => {
  const { message, line, column } = fieldsOf(value);
  return {
    message: text(message, LONGEST.error),
    line: orNull(line, (given) => number(given)),
    column: orNull(column, (given) => number(given)),
  };
};

const headersOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value))
      .filter(([name]) => name !== '__proto__')
      .slice(0, MOST_HEADERS)
      .map(([name, content]) => [text(name, LONGEST.name), text(content, LONGEST.header)]),
  );

const requestOf = (value: unknown): PageRequest => {
  const fields = fieldsOf(value);
  return {
    method: text(fields['method'], 40),
    url: text(fields['url'], LONGEST.url),
    resourceType: text(fields['resourceType'], 40),
    requestHeaders: headersOf(fields['requestHeaders']),
    responseHeaders: headersOf(fields['responseHeaders']),
    statusCode: orNull(fields['statusCode'], (given) => number(given, 999)),
    time: time(fields['time']),
    start: time(fields['start']),
    size: orNull(fields['size'], (given) => number(given, Number.MAX_SAFE_INTEGER)),
  };
};

const TIMING = [
  'startTime',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'secureConnectionStart',
  'connectEnd',
  'requestStart',
  'responseStart',
  'responseEnd',
] as const satisfies readonly (keyof RequestTiming)[];

const timingOf = (value: unknown): RequestTiming => {
  const fields = fieldsOf(value);
  return Object.fromEntries(TIMING.map((name) => [name, moment(fields[name])])) as unknown as RequestTiming;
};

const pageOf = (fields: Fields): PageRecord => {
  const vitals = fieldsOf(fields['webVitals']);
  return {
    test: number(fields['test']),
    url: text(fields['url'], LONGEST.url),
    duration: time(fields['duration']),
    documentRequest: orNull(fields['documentRequest'], (value) => ({
      ...requestOf(value),
      timing: timingOf(fieldsOf(value)['timing']),
    })),
    network: list(fields['network'], MOST_REQUESTS).map(requestOf),
    requests: number(fields['requests']),
    webVitals: {
      FCP: orNull(vitals['FCP'], time),
      LCP: orNull(vitals['LCP'], time),
      TTFB: orNull(vitals['TTFB'], time),
    },
    domContentLoaded: orNull(fields['domContentLoaded'], time),
    load: orNull(fields['load'], time),
  };
};
