import type { TSchema } from '@sinclair/typebox';
import { EXAMPLE_IDS, ID_OF } from './ids.ts';
import { EXAMPLE_VALUES } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a value stands. */
interface Place {
  /** the title of the closest named schema; empty: there is none */
  owner: string;
  field: string;
  /** the request body, whose fields the response repeats */
  sent: Fields;
}

/**
 * An example of an answer, from its schema.
 *
 * @param sent what stands in it at the top whatever the schema says, such as the fields of the example request
 */
export const exampleAnswer = (schema: TSchema, sent: Fields): unknown =>
  sampled(schema, { owner: '', field: '', sent });

/** An example of a body that no table has (requests.ts): what is required. */
export const exampleBody = (schema: TSchema): unknown =>
  sampled(requiredOnly(schema), { owner: '', field: '', sent: {} });

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const requiredOnly = (schema: TSchema): TSchema => {
  const { properties = {}, required = [] } = schema as { properties?: Fields; required?: string[] };
  return { ...schema, properties: Object.fromEntries(required.map((name) => [name, properties[name]])) };
};

const sampled = (schema: TSchema, place: Place): unknown => {
  if (schema['published'] !== undefined) return sampled(schema['published'] as TSchema, place);
  const known = knownValue(schema, place);
  if (known !== undefined) return known;
  const { type, anyOf, allOf, enum: words, const: only, examples } = schema as Fields;
  if (only !== undefined) return only;
  const types = [type].flat();
  // A field that may be null usually is.
  if (types.includes('null')) return null;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(anyOf)) return ofAlternatives(anyOf as TSchema[], place);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((one) => sampled(one as TSchema, place))) as unknown;
  if (Array.isArray(words)) return words[0];
  return SAMPLERS[String(types[0])]?.(schema, place) ?? null;
};

/** A value of the tables, if the schema takes such a value; else undefined. */
const knownValue = (schema: TSchema, { owner, field, sent }: Place): unknown => {
  if (field === '') return undefined;
  const named = [`${owner}.${field}`, field];
  const values = [
    repeatable(sent[field], schema) ? sent[field] : undefined,
    field === 'id' ? EXAMPLE_IDS[ID_OF[owner] ?? ''] : undefined,
    ...named.map((name) => EXAMPLE_VALUES[name]),
    // Only where it is required: an optional reference is usually to nothing.
    isNullable(schema) ? undefined : EXAMPLE_IDS[field.replace(/_ids$/, '_id')],
  ];
  return values.find((value) => value !== undefined && takes(schema, value));
};

/** Whether an answer may repeat what was sent: objects of answers have more fields than those of requests. */
const repeatable = (value: unknown, { properties, anyOf }: Fields): boolean => {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object');
  return !isFields(value) || (properties === undefined && anyOf === undefined);
};

const isNullable = ({ type, anyOf }: Fields): boolean =>
  [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some((one: Fields) => one['type'] === 'null'));

/** Whether a schema takes a value, as far as its type and its words decide. */
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

/** Null where that is one of them, else the first. */
const ofAlternatives = (alternatives: readonly TSchema[], place: Place): unknown => {
  if (alternatives.some(({ type }) => type === 'null')) return null;
  const [first] = alternatives;
  return first ? sampled(first, place) : null;
};

const SAMPLERS: Readonly<Record<string, (schema: Fields, place: Place) => unknown>> = {
  string: ({ format }) => (format === 'date-time' ? '2026-11-20T15:04:05Z' : format === 'date' ? '2026-11-20' : 'text'),
  integer: ({ minimum = 0, default: usual }) => usual ?? minimum,
  number: ({ minimum = 0, default: usual }) => usual ?? minimum,
  boolean: ({ default: usual }) => usual ?? false,
  array: ({ items }, place) => [
    // A top-level list holds the requested resources.
    sampled((items ?? {}) as TSchema, place.field === '' ? place : { ...place, sent: {} }),
  ],
  object: ({ properties, title }, { owner, field, sent }) => {
    if (properties === undefined) return {};
    const own = typeof title === 'string' ? title : owner;
    // What was sent is repeated at the top, not in what the resource names.
    const repeated = field === '' ? sent : {};
    const entries = Object.entries(properties as Record<string, TSchema>);
    return Object.fromEntries(
      entries.map(([name, property]) => [name, sampled(property, { owner: own, field: name, sent: repeated })]),
    );
  },
};
