import { createContext, Script, type Context } from 'node:vm';
import type { JsonAssertion, JsonOperator } from '../../domain/check/types/assertions.ts';
import { jsonPathOf } from '../../domain/check/types/json-path.ts';
import type { Mask } from '../engine/masking.ts';
import { decoderFor } from './charset.ts';
import { jsonEqual } from './json-equal.ts';

/** Maximum size of a response that is parsed as JSON, in bytes. Parsed JSON takes up to forty times as much memory. */
export const MAX_JSON_BYTES = 1_048_576;
/** Maximum depth of JSON. No real response is deeper, and JSON paths take memory for each level. */
const MAX_DEPTH = 100;
/** Time limit for all JSON paths of a check together, in milliseconds. An ordinary path takes less than 1 ms. */
const MAX_TIME_MS = 1_000;

/** A body that JSON assertions evaluate. */
export interface JsonBody {
  bytes: Buffer;
  contentType: string;
}

/**
 * Evaluates JSON assertions. Returns a sentence for each that failed.
 *
 * @param body the body, or a sentence that says why it can't be read
 * @param mask replaces secrets in sentences about values
 */
export const brokenJson = (body: JsonBody | string, assertions: readonly JsonAssertion[], mask: Mask): string[] => {
  if (typeof body === 'string') return [body];
  const text = decoderFor(body.contentType, body.bytes, true).decode(body.bytes);
  if (isDeeper(text, MAX_DEPTH)) return [`The JSON of the response is nested deeper than ${MAX_DEPTH} levels.`];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return ['The response is not JSON.'];
  }
  return (
    withinTime(() => assertions.flatMap((assertion) => brokenBy(document, assertion, mask) ?? [])) ?? [
      'The JSON paths take too long in the JSON of the response.',
    ]
  );
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Returns whether arrays and objects are nested deeper than the limit, without parsing the JSON. */
const isDeeper = (text: string, limit: number): boolean => {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) quoted = false;
    } else if (character === QUOTE) quoted = true;
    else if (OPENING.has(character)) {
      if (++depth > limit) return true;
    } else if (CLOSING.has(character)) depth--;
  }
  return false;
};

let clocked: { context: Context & { work?: () => unknown }; script: Script } | null = null;

/** Calls `work` with a time limit. Returns null if `work` takes longer. */
const withinTime = <T>(work: () => T): T | null => {
  clocked ??= { context: createContext({}), script: new Script('work()') };
  const { context, script } = clocked;
  context.work = work;
  try {
    return script.runInContext(context, { timeout: MAX_TIME_MS }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    delete context.work;
  }
};

/** Comparisons of a value in the response with the expected value, each with words for a sentence about a failure. */
const COMPARISONS: Readonly<
  Record<
    Exclude<JsonOperator, 'exists' | 'not_exists'>,
    { holds: (found: unknown, value: unknown) => boolean; words: (value: string) => string }
  >
> = {
  equals: { holds: jsonEqual, words: (value) => `not ${value}` },
  not_equals: { holds: (found, value) => !jsonEqual(found, value), words: () => 'which it must not be' },
  contains: {
    holds: (found, value) =>
      Array.isArray(found)
        ? found.some((element) => jsonEqual(element, value))
        : typeof found === 'string' && typeof value === 'string' && found.includes(value),
    words: (value) => `which does not contain ${value}`,
  },
  greater_than: {
    holds: (found, value) => typeof found === 'number' && found > Number(value),
    words: (value) => `not greater than ${value}`,
  },
  less_than: {
    holds: (found, value) => typeof found === 'number' && found < Number(value),
    words: (value) => `not less than ${value}`,
  },
};

/** Returns a sentence that says how a document violates an assertion; null if the document satisfies the assertion. */
const brokenBy = (document: unknown, assertion: JsonAssertion, mask: Mask): string | null => {
  const { path, value, operator = value === undefined ? 'exists' : 'equals' } = assertion;
  // The path was valid when the check was saved, but the rules for paths may be stricter now.
  const find = jsonPathOf(path);
  if (!find) return `The JSON path ${path} is not valid.`;
  let found = 0;
  for (const one of find(document)) {
    found += 1;
    if (operator === 'exists') return null;
    if (operator === 'not_exists') return `${path} is in the JSON of the response.`;
    const { holds, words } = COMPARISONS[operator];
    if (!holds(one, value)) return `${path} is ${shown(one, mask)}, ${words(shown(value, mask))}.`;
  }
  return found > 0 || operator === 'not_exists' ? null : `${path} is not in the JSON of the response.`;
};

const MAX_SHOWN = 100;

/**
 * Formats a value for a sentence. The value is masked before it is shortened, because a part of a secret is not
 * recognised.
 */
const shown = (value: unknown, mask: Mask): string => {
  const text = mask(JSON.stringify(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};
