import type { TSchema } from '@sinclair/typebox';
import { Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isCalendarDay, parseInstant } from '../../domain/time.ts';
import { isHttpUrl } from '../http-url.ts';
import { readingOf as readingOfOne, type Reading } from '../media/readings.ts';
import { sentencesOf, WHOLE, type Sentences } from '../sentences.ts';

interface DataContext {
  parentData: unknown;
  parentDataProperty: string | number;
}

const lastInstantOf = (text: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? `${text}T23:59:59.999999` : parseInstant(text);

/** Whether a value has the JSON type that a schema names: tests get only such values. */
const isOfType = (value: unknown, type: unknown): boolean => {
  const types = [type].flat();
  if (types[0] === undefined) return true;
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
};

/** Whether a text is longer than its schema allows, counted in UTF-16: then `maxLength` reports it. */
const isTooLong = (value: unknown, schema: { maxLength?: number } | undefined): boolean =>
  typeof value === 'string' && schema?.maxLength !== undefined && value.length > 2 * schema.maxLength;

/** Reports that an array is too long, and cuts it off: validating the rest could take minutes. */
const cutOff: SchemaValidateFunction = (limit: number, items: unknown[]) => {
  if (items.length <= limit) return true;
  items.length = limit;
  cutOff.errors = [{ keyword: 'maxItems', params: { limit } }];
  return false;
};

/**
 * Checks `check`, and replaces an `instant` by its form in events and documents. A text that is too long is not tested:
 * some tests take quadratic time in its length.
 */
const addKeywords = (ajv: Ajv): void => {
  ajv.addKeyword({
    keyword: 'check',
    errors: false,
    validate: (test: (value: unknown) => boolean, value: unknown, schema?: { type?: unknown; maxLength?: number }) =>
      value === null || !isOfType(value, schema?.type) || isTooLong(value, schema) || test(value),
  });
  ajv.removeKeyword('maxItems');
  // Before everything that looks at the items themselves.
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
    validate: (edge: 'start' | 'end', value: string, _schema: unknown, place?: DataContext) => {
      const instant = edge === 'end' ? lastInstantOf(value) : parseInstant(value);
      if (instant === null) return false;
      if (place) (place.parentData as Record<string | number, unknown>)[place.parentDataProperty] = instant;
      return true;
    },
  });
  ajv.addKeyword('sentence');
  // What the OpenAPI document shows instead of a schema.
  ajv.addKeyword('published');
  // The keyword `instant` decides: it takes more than RFC 3339, and gives a single error.
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

/** What is wrong with a value, by field; null when nothing is. Instants in it are replaced by their form in events. */
export type Validate = (value: unknown) => Sentences | null;

/** Compiles a schema to a validator that reports every broken field. */
export const compile = (schema: TSchema): Validate => sayingWhatIsWrong(ajv.compile(schema));

/**
 * Compiles the schema of a body. Unknown fields are ignored, that is removed, at every depth where the schema names its
 * fields (decisions.md: HTTP rules, 422).
 */
export const compileBody = (schema: TSchema): Validate => compile(dropping(schema) as TSchema);

const sayingWhatIsWrong =
  (validate: ValidateFunction): Validate =>
  (value) =>
    validate(value) ? null : sentencesOf(validate.errors ?? []);

/** A copy of a schema in which objects with named fields take no others. */
const dropping = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(dropping);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // Alternatives are left as they are: one of them must not remove what another one names.
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

/** How a parameter is read: a list has commas between its items. */
const readingOf = (schema: TSchema): Reading => {
  if (schema['type'] !== 'array') return readingOfOne(schema);
  const item = readingOfOne((schema['items'] ?? {}) as TSchema);
  return (text) => text.split(',').map((part) => item(part.trim()));
};

/** What is wrong with the only value of a list is said of the parameter, as where it takes one value. */
const ofParameters = (broken: Sentences, query: Readonly<Record<string, unknown>>): Sentences =>
  Object.fromEntries(
    Object.entries(broken).map(([field, said]) => {
      const [parameter = field] = field.split('.');
      const given = query[parameter];
      return [Array.isArray(given) && given.length === 1 ? parameter : field, said];
    }),
  );

export interface QueryReader {
  /** the values of the declared parameters; numbers, booleans and comma lists read strictly */
  read: (search: string) => { query: Record<string, unknown>; broken: Sentences | null };
}

/** More than any query needs; otherwise each request could cost as much as a URL has room for. */
const MAX_PARAMETERS = 1_000;

/** Compiles the schema of a query; parameters that it does not name are ignored. */
export const compileQuery = (schema: TSchema): QueryReader => {
  const validate = compile(schema);
  const readings = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>).map(
    ([name, property]) => [name, readingOf(property)] as const,
  );
  return {
    read: (search) => {
      const query: Record<string, unknown> = {};
      const twice: Sentences = {};
      if (search !== '') {
        const given = new URLSearchParams(search);
        if (given.size > MAX_PARAMETERS) {
          const sentence = `Must have at most ${MAX_PARAMETERS.toLocaleString('en')} parameters.`;
          return { query, broken: { [WHOLE]: [sentence] } };
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
