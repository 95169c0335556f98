import { nameOfReference, type Schema } from './openapi.ts';

const PLURALS: Readonly<Record<string, string>> = {
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  object: 'objects',
  value: 'values',
  identifier: 'identifiers',
  time: 'times',
  date: 'dates',
  URL: 'URLs',
};

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date', iri: 'URL', uri: 'URL' };
/** Matches the pattern of times in responses (api/schema.ts). */
const INSTANT = /^\^\\d\{4\}-\\d\{2\}-\\d\{2\}T/;

/** Returns the types of a schema, except null. */
const plainTypes = ({ type }: Schema): string[] => [type ?? []].flat().filter((one) => one !== 'null');

export const isNullable = ({ type, anyOf }: Schema): boolean =>
  [type ?? []].flat().includes('null') || (anyOf?.some((one) => one.type === 'null') ?? false);

/** Returns the alternatives of a schema, except null. Returns the schema itself if it has no alternatives. */
export const alternativesOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];

/**
 * Returns the schema of the values of a map, that is, of an object with arbitrary keys. Returns null if the schema is
 * not that of a map.
 */
export const mapValues = ({ properties, patternProperties, additionalProperties }: Schema): Schema | null => {
  if (properties) return null;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return Object.values(patternProperties ?? {})[0] ?? null;
};

/** Returns the type of a value in words: `list of strings`, `time or null`. */
export const typeOf = (schema: Schema): string => `${plainType(schema)}${isNullable(schema) ? ' or null' : ''}`;

const plainType = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) return [...new Set(alternatives.map(plainType))].join(' or ');
  const [only = schema] = alternatives;
  if (only !== schema) return plainType(only);
  const types = plainTypes(schema);
  if (types.length > 1) return types.join(' or ');
  if (schema.const !== undefined) return typeof schema.const;
  const [type = 'value'] = types;
  if (type === 'array') return `list of ${plural(schema.items ?? {})}`;
  if (type === 'object') {
    const values = mapValues(schema);
    return values && Object.keys(values).length > 0 ? `map of names to ${plural(values)}` : 'object';
  }
  if (type === 'string') return stringType(schema);
  return type;
};

const stringType = ({ format, pattern, 'x-rule': rule }: Schema): string => {
  if (rule === 'Must be an identifier.') return 'identifier';
  if (pattern !== undefined && INSTANT.test(pattern)) return 'time';
  return FORMATS[format ?? ''] ?? 'string';
};

const plural = (schema: Schema): string => {
  const type = typeOf(schema);
  return PLURALS[type] ?? type.replace(/^list of/, 'lists of');
};
