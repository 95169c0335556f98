import type { TSchema } from '@sinclair/typebox';
import { Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isCalendarDay, parseInstant } from '../../domain/time.ts';
import { isHttpUrl } from '../http-url.ts';
import { conversionOf as readingOfOne, type Conversion } from '../media/conversions.ts';
import { messagesOf, WHOLE_KEY, type FieldMessages } from '../validation-messages.ts';

interface DataContext {
  parentData: unknown;
  parentDataProperty: string | number;
}

const lastInstantOf = (text: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? `${text}T23:59:59.999999` : parseInstant(text);

/** Returns whether a value has a JSON type that the schema allows. Only such values are passed to `check`. */
const isOfType = (value: unknown, type: unknown): boolean => {
  const types = [type].flat();
  if (types[0] === undefined) return true;
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
};

/**
 * Returns whether a text is certainly too long: it has more than twice as many UTF-16 units as `maxLength` allows
 * characters. The keyword `maxLength` reports such a text, so other keywords can skip it.
 */
const isTooLong = (value: unknown, schema: { maxLength?: number } | undefined): boolean =>
  typeof value === 'string' && schema?.maxLength !== undefined && value.length > 2 * schema.maxLength;

/** Reports that an array is too long, and truncates it, because validating all items could take minutes. */
const cutOff: SchemaValidateFunction = (limit: number, items: unknown[]) => {
  if (items.length <= limit) return true;
  items.length = limit;
  cutOff.errors = [{ keyword: 'maxItems', params: { limit } }];
  return false;
};

/**
 * Adds the keywords `check` and `instant`. `check` calls a function with the value, unless the value is a text that is
 * too long: some functions take quadratic time. `instant` replaces a time by its form in events and documents.
 */
const addKeywords = (ajv: Ajv): void => {
  ajv.addKeyword({
    keyword: 'check',
    errors: false,
    validate: (test: (value: unknown) => boolean, value: unknown, schema?: { type?: unknown; maxLength?: number }) =>
      value === null || !isOfType(value, schema?.type) || isTooLong(value, schema) || test(value),
  });
  ajv.removeKeyword('maxItems');
  // `before` makes this keyword run before all keywords that validate the items.
  ajv.addKeyword({
    keyword: 'maxItems',
    type: 'array',
    schemaType: 'number',
    before: 'additionalItems',
    validate: cutOff,
  });
  ajv.addKeyword({
    keyword: 'instant',
    type: 'string',
    errors: false,
    modifying: true,
    validate: (edge: 'start' | 'end', value: string, _schema: unknown, context?: DataContext) => {
      const instant = edge === 'end' ? lastInstantOf(value) : parseInstant(value);
      if (instant === null) return false;
      if (context) (context.parentData as Record<string | number, unknown>)[context.parentDataProperty] = instant;
      return true;
    },
  });
  ajv.addKeyword('sentence');
  // `published` contains the schema that replaces this one in the OpenAPI document.
  ajv.addKeyword('published');
  // Times are validated by the keyword `instant` instead of this format. The keyword accepts more formats than RFC
  // 3339, and a single keyword reports a single error.
  ajv.addFormat('date-time', true);
  ajv.addFormat('http-url', isHttpUrl);
};

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
  removeAdditional: true,
});
addFormats.default(ajv, ['date', 'email', 'uri', 'uuid', 'ipv4', 'ipv6']);
addKeywords(ajv);

/**
 * Validates a value. Returns error messages by field; null if there are none. Replaces instants in the value by their
 * form in events.
 */
export type Validate = (value: unknown) => FieldMessages | null;

/** Compiles a schema to a validator that reports every invalid field. */
export const compile = (schema: TSchema): Validate => withSentences(ajv.compile(schema));

/**
 * Compiles the schema of a body. The validator ignores unknown fields: it removes them from every object whose schema
 * lists its fields (docs/reference/requests.md#validation).
 */
export const compileBody = (schema: TSchema): Validate => compile(dropping(schema) as TSchema);

const withSentences =
  (validate: ValidateFunction): Validate =>
  (value) =>
    validate(value) ? null : messagesOf(validate.errors ?? []);

/** Copies a schema. In the copy, objects that list their fields allow no other fields. */
const dropping = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(dropping);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // Alternatives stay unchanged, because one alternative must not remove fields of another.
    copy[key] = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'examples', 'default'].includes(key)
      ? value
      : dropping(value);
  }
  const named = copy['type'] === 'object' || (Array.isArray(copy['type']) && copy['type'].includes('object'));
  if (
    named &&
    copy['properties'] !== undefined &&
    !('additionalProperties' in copy) &&
    !('patternProperties' in copy)
  ) {
    copy['additionalProperties'] = false;
  }
  return copy;
};

/** Returns the conversion of a query parameter. The items of a list are separated by commas. */
const readingOf = (schema: TSchema): Conversion => {
  if (schema['type'] !== 'array') return readingOfOne(schema);
  const item = readingOfOne((schema['items'] ?? {}) as TSchema);
  return (text) => text.split(',').map((part) => item(part.trim()));
};

/**
 * Renames the errors of a list with one item: the error is reported for the parameter itself (`tags`) and not for the
 * item (`tags.0`).
 */
const ofParameters = (broken: FieldMessages, query: Readonly<Record<string, unknown>>): FieldMessages =>
  Object.fromEntries(
    Object.entries(broken).map(([field, errors]) => {
      const [parameter = field] = field.split('.');
      const given = query[parameter];
      return [Array.isArray(given) && given.length === 1 ? parameter : field, errors];
    }),
  );

export interface QueryReader {
  /** parses the declared parameters of a query; invalid numbers, booleans and lists are reported in `broken` */
  read: (search: string) => { query: Record<string, unknown>; broken: FieldMessages | null };
}

/** Maximum number of query parameters; clients need far fewer. */
const MAX_PARAMETERS = 1_000;

/** Compiles the schema of a query. Unknown parameters are ignored. */
export const compileQuery = (schema: TSchema): QueryReader => {
  const validate = compile(schema);
  const readings = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>).map(
    ([name, property]) => [name, readingOf(property)] as const,
  );
  return {
    read: (search) => {
      const query: Record<string, unknown> = {};
      const twice: FieldMessages = {};
      if (search !== '') {
        const given = new URLSearchParams(search);
        if (given.size > MAX_PARAMETERS) {
          const sentence = `Must have at most ${MAX_PARAMETERS.toLocaleString('en')} parameters.`;
          return { query, broken: { [WHOLE_KEY]: [sentence] } };
        }
        for (const [name, reading] of readings) {
          const values = given.getAll(name);
          if (values.length > 1) twice[name] = ['Must be given once.'];
          else if (values[0] !== undefined) query[name] = reading(values[0]);
        }
      }
      const found = validate(query);
      const broken = found && ofParameters(found, query);
      const repeated = Object.keys(twice).length > 0;
      return { query, broken: broken || repeated ? { ...broken, ...twice } : null };
    },
  };
};
