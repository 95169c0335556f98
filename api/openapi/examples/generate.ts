import type { TSchema } from '@sinclair/typebox';
import { EXAMPLE_IDS, PARAMETER_OF_ID } from './ids.ts';
import { EXAMPLE_VALUES } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The location of a value in an example. */
interface Location {
  /** Title of the innermost enclosing schema that has one. Empty if no schema has a title. */
  owner: string;
  field: string;
  /** The example request body. The response repeats its fields. */
  sent: Fields;
}

/**
 * Generates an example response from its schema.
 *
 * @param sent top-level values that override generated ones, such as the fields of the example request
 */
export const generateResponse = (schema: TSchema, sent: Fields): unknown =>
  sampled(schema, { owner: '', field: '', sent });

/** Generates an example body with the required fields. Used for bodies that requests.ts does not list. */
export const generateBody = (schema: TSchema): unknown =>
  sampled(requiredOnly(schema), { owner: '', field: '', sent: {} });

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const requiredOnly = (schema: TSchema): TSchema => {
  const { properties = {}, required = [] } = schema as { properties?: Fields; required?: string[] };
  return { ...schema, properties: Object.fromEntries(required.map((name) => [name, properties[name]])) };
};

const sampled = (schema: TSchema, location: Location): unknown => {
  if (schema['published'] !== undefined) return sampled(schema['published'] as TSchema, location);
  const known = knownValue(schema, location);
  if (known !== undefined) return known;
  const { type, anyOf, allOf, enum: words, const: only, examples } = schema as Fields;
  if (only !== undefined) return only;
  const types = [type].flat();
  // A nullable field usually is null.
  if (types.includes('null')) return null;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return ofAlternatives(anyOf as TSchema[], location);
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map((one) => sampled(one as TSchema, location))) as unknown;
  if (Array.isArray(words)) return words[0];
  return SAMPLERS[String(types[0])]?.(schema, location) ?? null;
};

/** Looks up a value in the tables. Returns undefined if the tables have no value that the schema accepts. */
const knownValue = (schema: TSchema, { owner, field, sent }: Location): unknown => {
  if (field === '') return undefined;
  const named = [`${owner}.${field}`, field];
  const values = [
    repeatable(sent[field], schema) ? sent[field] : undefined,
    field === 'id' ? EXAMPLE_IDS[PARAMETER_OF_ID[owner] ?? ''] : undefined,
    ...named.map((name) => EXAMPLE_VALUES[name]),
    // References that are nullable are usually null.
    isNullable(schema) ? undefined : EXAMPLE_IDS[field.replace(/_ids$/, '_id')],
  ];
  return values.find((value) => value !== undefined && takes(schema, value));
};

/**
 * Tests whether the example response can repeat a value of the request. Objects cannot be repeated, because those in
 * responses have more fields than those in requests.
 */
const repeatable = (value: unknown, { properties, anyOf }: Fields): boolean => {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object');
  return !isFields(value) || (properties === undefined && anyOf === undefined);
};

const isNullable = ({ type, anyOf }: Fields): boolean =>
  [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some((one: Fields) => one['type'] === 'null'));

/** Tests whether a schema accepts a value. Considers only the type, enumeration and pattern of the schema. */
const takes = (schema: TSchema, value: unknown): boolean => {
  const { type, anyOf, enum: words, const: only, pattern, format, properties } = schema as Fields;
  if (Array.isArray(anyOf)) return anyOf.some((one) => takes(one as TSchema, value));
  if (only !== undefined) return only === value;
  if (Array.isArray(words)) return words.includes(value);
  if (type === undefined) return properties === undefined || isFields(value);
  if (!typesOf(value).some((one) => [type].flat().includes(one))) return false;
  if (typeof value !== 'string') return true;
  if (format === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
};

const typesOf = (value: unknown): string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return typeof value === 'number' && Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

/** Returns null if one of the alternatives is null, otherwise an example of the first alternative. */
const ofAlternatives = (alternatives: readonly TSchema[], location: Location): unknown => {
  if (alternatives.some(({ type }) => type === 'null')) return null;
  const [first] = alternatives;
  return first ? sampled(first, location) : null;
};

const SAMPLERS: Readonly<Record<string, (schema: Fields, location: Location) => unknown>> = {
  string: ({ format }) => (format === 'date-time' ? '2026-11-20T15:04:05Z' : format === 'date' ? '2026-11-20' : 'text'),
  integer: ({ minimum = 0, default: usual }) => usual ?? minimum,
  number: ({ minimum = 0, default: usual }) => usual ?? minimum,
  boolean: ({ default: usual }) => usual ?? false,
  array: ({ items }, location) => [
    // The items of a top-level array are the resources that the request describes, so they repeat its fields.
    sampled((items ?? {}) as TSchema, location.field === '' ? location : { ...location, sent: {} }),
  ],
  object: ({ properties, title }, { owner, field, sent }) => {
    if (properties === undefined) return {};
    const own = typeof title === 'string' ? title : owner;
    // Sent fields are repeated at the top level, not inside nested objects.
    const repeated = field === '' ? sent : {};
    const entries = Object.entries(properties as Record<string, TSchema>);
    return Object.fromEntries(
      entries.map(([name, property]) => [name, sampled(property, { owner: own, field: name, sent: repeated })]),
    );
  },
};
