import type { DocsField, DocsValue, DocsVariant } from '../../views/docs/model.ts';
import { nameOfReference, type Schema } from './openapi.ts';
import { rulesOf } from './rules.ts';
import { alternativesOf, mapValues, typeOf } from './types.ts';

/**
 * The description of every time in a response. The documentation omits it, because the overview explains the format of
 * times once.
 */
const OF_EVERY_TIME = 'UTC, six fractional digits, no suffix';

/** Converts a schema to the form in which the documentation shows it. */
export const valueOf = (schema: Schema): DocsValue => {
  const alternatives = alternativesOf(schema);
  const [only = schema] = alternatives;
  const single = alternatives.length === 1 ? { ...schema, ...only } : schema;
  const { description } = single;
  return {
    type: typeOf(schema),
    object: objectIn(single),
    text: description === undefined || description === OF_EVERY_TIME ? null : description,
    rules: rulesOf(single),
    initial: schema.default === undefined ? null : JSON.stringify(schema.default),
    values: valuesOf(single),
    ...within(single),
  };
};

/** Returns the fields of an object, in order. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): DocsField[] =>
  Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    ...valueOf(property),
  }));

/**
 * Returns the name of the shared object to which a schema refers. The reference may also be in the schema of the items
 * of a list or of the values of a map. Returns null if there is no such object.
 */
const objectIn = (schema: Schema): string | null => {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref);
  const inner = schema.items ?? mapValues(schema);
  if (!inner) return null;
  const [only, ...more] = alternativesOf(inner);
  return only && more.length === 0 ? objectIn(only) : null;
};

const valuesOf = (schema: Schema): string[] => {
  if (schema.const !== undefined) return [wordOf(schema.const)];
  const words = schema.enum ?? schema.items?.enum ?? mapValues(schema)?.enum ?? [];
  return words.filter((word) => word !== null).map(wordOf);
};

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the fields of an object, or the variants of a value with several schemas. */
const within = (schema: Schema): Pick<DocsValue, 'fields' | 'variants'> => {
  const inner = schema.items ?? mapValues(schema) ?? schema;
  if (inner.$ref !== undefined) return { fields: [], variants: [] };
  const alternatives = alternativesOf(inner);
  if (alternatives.length === 1) return { fields: fieldsOf(alternatives[0] ?? {}), variants: [] };
  if (!alternatives.some(({ properties }) => properties)) return { fields: [], variants: [] };
  return variantsOf(alternatives, inner.discriminator?.propertyName);
};

/**
 * Returns the variants of a value, and separately the fields that all variants share. The shared fields are shown once,
 * before the variants.
 */
const variantsOf = (
  alternatives: readonly Schema[],
  discriminator: string | undefined,
): Pick<DocsValue, 'fields' | 'variants'> => {
  const kinds = alternatives.map((schema) => ({ schema, fields: fieldsOf(schema) }));
  const [first, ...others] = kinds.map(({ fields }) => new Map(fields.map((field) => [field.name, textOf(field)])));
  const common = new Set(
    [...(first ?? [])].filter(([name, text]) => others.every((one) => one.get(name) === text)).map(([name]) => name),
  );
  return {
    fields: kinds[0]?.fields.filter(({ name }) => common.has(name)) ?? [],
    variants: kinds.map(({ schema, fields }, index): DocsVariant => {
      const { name, text } = nameOfKind(schema, discriminator, index);
      return {
        name,
        text,
        fields: fields.filter((field) => !common.has(field.name) && field.name !== discriminator),
      };
    }),
  };
};

const textOf = (field: DocsField): string => JSON.stringify(field);

/**
 * Returns the name of a variant: the value of its discriminator or, without a discriminator, the part of its
 * description before the colon.
 */
const nameOfKind = (
  { properties, description }: Schema,
  discriminator: string | undefined,
  index: number,
): { name: string; text: string | null } => {
  const word = discriminator === undefined ? undefined : properties?.[discriminator]?.const;
  if (word !== undefined) return { name: wordOf(word), text: description ?? null };
  const [name = '', ...rest] = (description ?? `Kind ${index + 1}`).split(': ');
  return { name, text: rest.length > 0 ? rest.join(': ') : null };
};
