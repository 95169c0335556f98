/** A request that the documentation shows as code. */
export interface Call {
  /** in upper case */
  method: string;
  /** with parameters filled in, and the query */
  path: string;
  /** the environment variable with the value for `Authorization`; null: none is sent */
  credential: 'KEY' | 'TOKEN' | null;
  /** sent as JSON; undefined: no body */
  body?: unknown;
  /** sent verbatim instead of JSON */
  text?: { type: string; content: string };
  /** whether an `Idempotency-Key` is required */
  idempotencyKey: boolean;
  /** whether the response body is JSON */
  json: boolean;
  /** whether the response is an endless stream of events */
  stream: boolean;
}

/** A plausible idempotency key. */
export const IDEMPOTENCY_KEY = 'order-2026-11-20';

const LINE = 64;

/** Pretty-prints JSON with an indent of two spaces; short values stay on one line. */
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
  // The top-level object is easier to read on several lines.
  const isWhole = indent === '' && !isList;
  if (flat.length <= LINE && !flat.includes('\n') && !isWhole) return isList ? `[${flat}]` : `{ ${flat} }`;
  const lines = `\n${parts(inner)
    .map((part) => inner + part)
    .join(',\n')}\n${indent}`;
  return isList ? `[${lines}]` : `{${lines}}`;
};
