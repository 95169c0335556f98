import type { TSchema } from '@sinclair/typebox';
import { EXAMPLE_IDS, PARAMETER_OF_ID } from './ids.ts';
import { EXAMPLE_VALUES } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The location of a value in an example. */
interface Location {
  /** the title of the closest named schema; empty: there is none */
  owner: string;
  field: string;
  /** the example request body, whose fields the response repeats */
  sent: Fields;
}

/**
 * Generates an example response from its schema.
 *
 * @param sent top-level values that override generated ones, such as the fields of the example request
 */
export const generateResponse = (schema: TSchema, sent: Fields): unknown =>
  sampled(schema, { owner: '', field: '', sent });

/** Generates an example body with the required fields, for bodies missing in requests.ts. */
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

/** A value from the tables if the schema accepts it; otherwise undefined. */
const knownValue = (schema: TSchema, { owner, field, sent }: Location): unknown => {
  if (field === '') return undefined;
  const named = [`${owner}.${field}`, field];
  const values = [
    repeatable(sent[field], schema) ? sent[field] : undefined,
    field === 'id' ? EXAMPLE_IDS[PARAMETER_OF_ID[owner] ?? ''] : undefined,
    ...named.map((name) => EXAMPLE_VALUES[name]),
    // Only for required references: optional ones are usually null.
    isNullable(schema) ? undefined : EXAMPLE_IDS[field.replace(/_ids$/, '_id')],
  ];
  return values.find((value) => value !== undefined && takes(schema, value));
};

/** Whether the response may repeat a sent value. Objects in responses have more fields than in requests. */
const repeatable = (value: unknown, { properties, anyOf }: Fields): boolean => {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object');
  return !isFields(value) || (properties === undefined && anyOf === undefined);
};

const isNullable = ({ type, anyOf }: Fields): boolean =>
  [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some((one: Fields) => one['type'] === 'null'));

/** Whether a schema accepts a value, judged by its type, enumeration and pattern. */
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

/** Null if that is an alternative, otherwise an example of the first. */
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
    // Items of a top-level array are the requested resources.
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
