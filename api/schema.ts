import { Type, type Static, type TObject, type TOptional, type TSchema, type TUnsafe } from '@sinclair/typebox';
import { isBlank, NOT_BLANK } from '../domain/text.ts';
import { MAX_MANAGED_BY } from '../domain/managed/managed-by.ts';
import { MAX_TAGS, TAG_PATTERN } from '../domain/tags.ts';
import { INSTANT_PATTERN, type Instant } from '../domain/time.ts';

/**
 * Building blocks for the schemas of routes. The schemas are JSON Schema: http/routes/validate.ts validates with them,
 * static types are derived from them, and api/openapi/document.ts publishes them. They use three custom keywords that
 * the published document omits or renames: `check`, `sentence` and `instant`.
 */

/** Identifier of a resource (docs/reference/requests.md#identifiers). */
export const Id = Type.String({
  pattern: '^[a-z0-9]{12}$',
  sentence: 'Must be an identifier.',
  examples: ['k3v9x0q2m7ab'],
});

/** The revision of a resource (domain/revision.ts). */
export const Revision = Type.Integer({
  minimum: 1,
  description: 'Grows with every change by a client, but not with measurements. Send it in `If-Match`.',
});

/** An instant in a response: `2026-11-20T15:04:05.123000`, UTC (docs/reference/requests.md#timestamps). */
export const InstantOut = Type.String({
  pattern: INSTANT_PATTERN,
  description: 'UTC, six fractional digits, no suffix',
  examples: ['2026-11-20T15:04:05.123000'],
});

/** A calendar day in a response. */
export const DayOut = Type.String({ format: 'date', examples: ['2026-11-20'] });

/**
 * Creates the schema of an instant in a request: ISO 8601, UTC if it has no zone designator. The handler receives an
 * {@link Instant}. A date without a time means the first instant of that day or, with `end`, the last instant. Use
 * `end` for the ends of ranges.
 */
export const instantIn = ({
  end = false,
  ...options
}: { end?: boolean; description?: string } = {}): TUnsafe<Instant> =>
  Type.Unsafe<Instant>({ ...options, type: 'string', format: 'date-time', instant: end ? 'end' : 'start' });

/**
 * Creates the schema of a text with at most `max` and at least `min` code points. With `min`, blank text is refused.
 */
export const text = (max: number, { min = 0, ...options }: { min?: number; description?: string } = {}) =>
  Type.String({ ...options, ...(min > 0 && { minLength: min, ...visible }), maxLength: max });

/** Refuses blank text. Accepts empty text, because `minLength` already reports empty text. */
const visible = { check: (value: string): boolean => value === '' || !isBlank(value), sentence: NOT_BLANK };

/** Creates the schema of a string that has one of the values. */
export const choice = <const T extends string>(values: readonly T[], options: { description?: string } = {}) =>
  Type.Unsafe<T>({ ...options, type: 'string', enum: [...values] });

/** Creates the schema of an http or https URL with a host. */
export const httpUrl = (max: number) =>
  Type.String({ format: 'http-url', maxLength: max, examples: ['https://example.com/'] });

/**
 * Extends a schema so that values must also pass `test`. `sentence` is the error message. Values of a wrong type are
 * not tested, because the schema itself refuses them.
 */
export const withCheck = <S extends TSchema>(schema: S, test: (value: Static<S>) => boolean, sentence: string): S => ({
  ...schema,
  check: test,
  sentence,
});

/** Extends a schema to accept null. A nullable field is always present in responses, and null clears it in requests. */
export const nullable = <S extends TSchema>(schema: S): TUnsafe<Static<S> | null> => {
  const { type, enum: words, ...rest } = schema as { type?: string; enum?: unknown[] } & TSchema;
  if (type === undefined) return Type.Unsafe({ anyOf: [schema, { type: 'null' }] });
  return Type.Unsafe({ ...rest, type: [type, 'null'], ...(words && { enum: [...words, null] }) });
};

type Partially<P extends Record<string, TSchema>> = { [K in keyof P]: TOptional<P[K]> };

/** Makes every field optional. Used to derive the body of PUT and PATCH from that of POST. */
export const partial = <P extends Record<string, TSchema>>(schema: TObject<P>): TObject<Partially<P>> =>
  Type.Partial(schema) as unknown as TObject<Partially<P>>;

/** Maximum number of items in a comma-separated list. */
const MAX_LISTED = 100;

/** Makes fields optional and adds their defaults. */
export const withDefaults = <P extends Record<string, TSchema>>(
  properties: P,
  defaults: Readonly<Record<string, unknown>>,
): { [K in keyof P]: TOptional<P[K]> } =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Type.Optional(name in defaults ? { ...schema, default: defaults[name] } : schema),
    ]),
  ) as { [K in keyof P]: TOptional<P[K]> };

/** The program that maintains an object from files, in requests and responses. */
export const ManagedBy = nullable(
  text(MAX_MANAGED_BY, { min: 1, description: 'The program that maintains it from files.' }),
);

/** Schema of the end of a mute, in requests (docs/reference/alerts.md#muting). */
export const mutedUntilIn = nullable(
  instantIn({
    description: 'Until then, no messages about its alerts are sent. Null or a past time: not muted.',
  }),
);

/** Schema of the end of a mute, in responses. */
export const mutedUntilOut = nullable({ ...InstantOut, description: 'Null if not muted.' });

/** Creates the schema of a comma-separated list in a query (`?status=ok,down`). The handler receives an array. */
export const commaList = <S extends TSchema>(item: S, options: { description?: string; default?: Static<S>[] } = {}) =>
  Type.Array(item, { ...options, minItems: 1, maxItems: MAX_LISTED });

/** A tag of a check or a heartbeat (docs/reference/checks.md#tags). */
export const Tag = Type.String({
  pattern: TAG_PATTERN,
  sentence: 'Must be 1 to 50 lower-case letters, digits, ".", "_", ":" or "-".',
  examples: ['team:shop'],
});

/** The tags of a check or a heartbeat, in requests and responses. */
export const Tags = Type.Array(Tag, { maxItems: MAX_TAGS, description: 'Stored sorted and without duplicates.' });

/** Query parameter that filters a list by tag. */
export const tagFilter = commaList(Tag, { description: 'Only items with any of these tags, separated by commas.' });

/** Names a schema in the published document (`#/components/schemas/Page`). */
export const namedSchema = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, title: name });
