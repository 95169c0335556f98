import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, oneOf } from './common.ts';
import { JSON_PATH_SENTENCE, jsonPathOf, MAX_JSON_PATH } from './json-path.ts';
import { statusRange } from './status-range.ts';

const MAX_JSON_ASSERTIONS = 20;
const MAX_JSON_VALUE = 1_000;

/**
 * How a value that a path finds is compared:
 *
 * - `exists`, `not_exists`: whether the path finds anything; `value` is ignored
 * - `equals`, `not_equals`: the same JSON, objects in any order
 * - `contains`: a text within a text, or an element of an array
 * - `greater_than`, `less_than`: numbers
 */
export const JSON_OPERATORS = [
  'exists',
  'not_exists',
  'equals',
  'not_equals',
  'contains',
  'greater_than',
  'less_than',
] as const;
export type JsonOperator = (typeof JSON_OPERATORS)[number];

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= MAX_JSON_VALUE;

/** The error about `value` for these operators. */
const where = (operators: readonly JsonOperator[], then: object): object => ({
  if: { properties: { operator: { enum: [...operators] } }, required: ['operator'] },
  then,
});

const JsonAssertion = Type.Object(
  {
    path: Type.String({
      maxLength: MAX_JSON_PATH,
      check: (path: string) => jsonPathOf(path) !== null,
      sentence: JSON_PATH_SENTENCE,
      description: JSON_PATH_SENTENCE,
      examples: ['$.status', "$.services[?@.name == 'db'].healthy"],
    }),
    operator: Type.Optional(
      Type.Unsafe<JsonOperator>({
        ...oneOf(JSON_OPERATORS),
        description: 'equals when a value is sent, otherwise exists. Every value that the path finds must satisfy it',
      }),
    ),
    value: Type.Optional(
      Type.Unknown({
        check: isShort,
        sentence: `Must have at most ${MAX_JSON_VALUE.toString()} characters as JSON.`,
        description: 'any JSON; numbers are compared by value, so -0 equals 0',
      }),
    ),
  },
  {
    ...AS_SENT,
    allOf: [
      where(['equals', 'not_equals', 'contains', 'greater_than', 'less_than'], { required: ['value'] }),
      where(['greater_than', 'less_than'], { properties: { value: { type: 'number' } } }),
    ],
  },
);
export type JsonAssertion = Static<typeof JsonAssertion>;

/** What a header must be: this value; something that contains this text; absent. */
export type HeaderAssertion = string | { contains: string } | null;

/** What the answer to a web or api check must be, besides existing. */
export const WebAssertions = Type.Object(
  {
    status_codes: Type.Optional(
      Type.Array(
        Type.Unsafe<number | string>({
          type: ['integer', 'string'],
          check: (code: unknown) => statusRange(code) !== null,
          sentence: 'Must be a status code such as 200, or a range such as "300-399".',
        }),
        {
          minItems: 1,
          maxItems: 50,
          description: 'accepted status codes; any below 400 when absent',
          examples: [[200, '300-399']],
        },
      ),
    ),
    search_text_absent: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'must not be in the response body; nothing is searched when empty',
      }),
    ),
    max_response_time: Type.Optional(Type.Integer({ minimum: 1, maximum: 120_000, description: 'milliseconds' })),
    min_certificate_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description: 'whole days for which the certificate, and the issuers that clients need, must still be valid',
      }),
    ),
    json: Type.Optional(
      Type.Array(JsonAssertion, {
        maxItems: MAX_JSON_ASSERTIONS,
        description: 'what must hold in the JSON of the response, which may have at most 1 MiB',
      }),
    ),
    headers: Type.Optional(
      Type.Unsafe<Record<string, HeaderAssertion>>({
        type: 'object',
        maxProperties: 20,
        propertyNames: {
          pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          maxLength: 100,
          sentence: 'Is not the name of an HTTP header.',
        },
        additionalProperties: {
          type: ['string', 'object', 'null'],
          maxLength: 1_000,
          properties: { contains: { type: 'string', maxLength: 1_000 } },
          required: ['contains'],
        },
        description:
          'by header of the last response: the value it must have, { "contains": "…" } for a text within it (case counts), or null if it must be absent',
      }),
    ),
  },
  AS_SENT,
);
export type WebAssertions = Static<typeof WebAssertions>;
