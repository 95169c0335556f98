/** A request that the documentation shows as code. */
export interface Call {
  /** HTTP method in upper case */
  method: string;
  /** path with its parameters filled in, and the query */
  path: string;
  /** environment variable that contains the token for `Authorization`; null: the request has no such header */
  credential: 'KEY' | 'TOKEN' | null;
  /** body to send as JSON; undefined: no JSON body */
  body?: unknown;
  /** body to send unchanged, instead of JSON */
  text?: { type: string; content: string };
  /** whether an `Idempotency-Key` is required */
  idempotencyKey: boolean;
  /** whether the response body is JSON */
  json: boolean;
  /** whether the response is an endless stream of events */
  stream: boolean;
}

/** The idempotency key in examples. */
export const IDEMPOTENCY_KEY = 'order-2026-11-20';

const LINE = 64;

/** Formats a value as JSON with an indent of two spaces. Short values stay on one line. */
export const indented = (value: unknown, indent = ''): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = (within: string): string[] =>
    isList
      ? value.map((one) => indented(one, within))
      : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${indented(one, within)}`);
  const flat = parts(indent).join(', ');
  if (flat === '') return isList ? '[]' : '{}';
  // The outermost object is always written on several lines, because that is easier to read.
  const isWhole = indent === '' && !isList;
  if (flat.length <= LINE && !flat.includes('\n') && !isWhole) return isList ? `[${flat}]` : `{ ${flat} }`;
  const lines = `\n${parts(inner)
    .map((part) => inner + part)
    .join(',\n')}\n${indent}`;
  return isList ? `[${lines}]` : `{${lines}}`;
};
