/** A request that the documentation shows as code. */
export interface Call {
  /** in upper case */
  method: string;
  /** with its parameters filled in, and its query */
  path: string;
  /** the variable of the environment that `Authorization` comes from; null: none is sent */
  credential: 'KEY' | 'TOKEN' | null;
  /** sent as JSON; undefined: there is none */
  body?: unknown;
  /** sent as it is, instead of JSON */
  text?: { type: string; content: string };
  /** whether an `Idempotency-Key` is required */
  idempotencyKey: boolean;
  /** whether the answer has a body of JSON */
  json: boolean;
  /** whether the answer is a stream of events, which has no end */
  stream: boolean;
}

/** A plausible idempotency key. */
export const IDEMPOTENCY_KEY = 'order-2026-11-20';

const LINE = 64;

/** JSON in lines of their own, indented by two spaces; what is short stays on one line. */
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
  // The whole of it is easier to read in lines.
  const isWhole = indent === '' && !isList;
  if (flat.length <= LINE && !flat.includes('\n') && !isWhole) return isList ? `[${flat}]` : `{ ${flat} }`;
  const lines = `\n${parts(inner)
    .map((part) => inner + part)
    .join(',\n')}\n${indent}`;
  return isList ? `[${lines}]` : `{${lines}}`;
};
