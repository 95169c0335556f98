import { Type, type TSchema } from '@sinclair/typebox';
import { isFields } from '../../domain/fields.ts';

type Schema = Record<string, unknown>;

/**
 * Extends the schema of a response so that the `unknown` fields also accept null, because they are null in past states.
 * Returns the schema itself if nothing has to change.
 */
export const withUnknown = (schema: TSchema, unknown: readonly string[]): TSchema => {
  const variant = nullableIn(schema, new Set(unknown));
  return variant === schema ? schema : Type.Union([schema, variant as TSchema]);
};

/** Makes the `unknown` fields nullable. Returns the schema itself if nothing has to change. */
const nullableIn = (schema: unknown, unknown: ReadonlySet<string>): unknown => {
  if (Array.isArray(schema)) {
    const items = schema.map((item) => nullableIn(item, unknown));
    return items.every((item, index) => item === schema[index]) ? schema : items;
  }
  if (!isFields(schema)) return schema;
  const changed: Schema = {};
  for (const [name, value] of Object.entries(schema)) {
    const next = name === 'properties' ? propertiesOf(value as Schema, unknown) : nullableIn(value, unknown);
    if (next !== value) changed[name] = next;
  }
  if (Object.keys(changed).length === 0) return schema;
  const { title } = schema;
  return { ...schema, ...changed, ...(typeof title === 'string' && { title: `${title}AsOf` }) };
};

const propertiesOf = (properties: Schema, unknown: ReadonlySet<string>): Schema => {
  const changed: Schema = {};
  for (const [name, value] of Object.entries(properties)) {
    const next = unknown.has(name) ? orNull(value as TSchema) : nullableIn(value, unknown);
    if (next !== value) changed[name] = next;
  }
  return Object.keys(changed).length === 0 ? properties : { ...properties, ...changed };
};

const orNull = (schema: TSchema): TSchema => {
  const { type, anyOf } = schema as Schema;
  const types = [type].flat();
  const isNullable =
    types.includes('null') ||
    (Array.isArray(anyOf) && anyOf.some((one: unknown) => isFields(one) && one['type'] === 'null'));
  return isNullable ? schema : Type.Union([schema, Type.Null()]);
};

/** Fields of a resource that cannot be computed for a past state. */
export interface UnknownFields {
  /** Fields that are set to null. */
  unknown?: readonly string[];
  /** Fields that are removed. */
  leftOut?: readonly string[];
}

/**
 * Sets the `unknown` fields of a resource to null and removes its `leftOut` fields. Does the same in nested lists of
 * resources.
 *
 * @param named collects the names of those fields of `fields` that were present
 */
export const withoutUnknown = (value: unknown, fields: UnknownFields, named: Set<string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutUnknown(one, fields, named));
  if (!isFields(value)) return value;
  const { unknown = [], leftOut = [] } = fields;
  const here = [...unknown, ...leftOut].filter((field) => field in value);
  for (const field of here) named.add(field);
  if (here.length === 0)
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        Array.isArray(field) ? withoutUnknown(field, fields, named) : field,
      ]),
    );
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !leftOut.includes(name))
      .map(([name, field]) => [name, unknown.includes(name) ? null : field]),
  );
};
