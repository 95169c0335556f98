import { Type, type Static } from '@sinclair/typebox';
import { KEEP_INPUT, oneOf } from './common.ts';
import { JSON_PATH_SENTENCE, jsonPathOf, MAX_JSON_PATH } from './json-path.ts';
import { statusRange } from './status-range.ts';

const MAX_JSON_ASSERTIONS = 20;
const MAX_JSON_VALUE = 1_000;

/**
 * The comparisons of the values at a path with `value`:
 *
 * - `exists`, `not_exists`: whether the path matches any value; `value` is ignored
 * - `equals`, `not_equals`: the JSON is the same, except for the order of object fields
 * - `contains`: `value` is a substring of a text, or an element of an array
 * - `greater_than`, `less_than`: comparison of numbers
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

/** Returns a schema that applies `then` to assertions with one of the operators. */
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
        description: 'default: equals if a value is sent, otherwise exists. Every value at the path must satisfy it',
      }),
    ),
    value: Type.Optional(
      Type.Unknown({
        check: isShort,
        sentence: `Must have at most ${MAX_JSON_VALUE} characters as JSON.`,
        description: 'any JSON; numbers are compared by value, so -0 equals 0',
      }),
    ),
  },
  {
    ...KEEP_INPUT,
    allOf: [
      where(['equals', 'not_equals', 'contains', 'greater_than', 'less_than'], { required: ['value'] }),
      where(['greater_than', 'less_than'], { properties: { value: { type: 'number' } } }),
    ],
  },
);
export type JsonAssertion = Static<typeof JsonAssertion>;

/** The required value of a header, a text that the value must contain, or null if the header must be absent. */
export type HeaderAssertion = string | { contains: string } | null;

/** Requirements for the response to a web or api check. */
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
          description: 'accepted status codes; default: all below 400',
          examples: [[200, '300-399']],
        },
      ),
    ),
    search_text_absent: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'text that the response body must not contain; no search if empty',
      }),
    ),
    max_response_time: Type.Optional(Type.Integer({ minimum: 1, maximum: 120_000, description: 'milliseconds' })),
    min_certificate_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description: 'minimum validity of the certificate and of the issuers that clients need, in whole days',
      }),
    ),
    json: Type.Optional(
      Type.Array(JsonAssertion, {
        maxItems: MAX_JSON_ASSERTIONS,
        description: 'assertions on the JSON of the response, which may have at most 1 MiB',
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
          'by header of the last response: the required value, { "contains": "…" } for a required substring (case-sensitive), or null if the header must be absent',
      }),
    ),
  },
  KEEP_INPUT,
);
export type WebAssertions = Static<typeof WebAssertions>;
