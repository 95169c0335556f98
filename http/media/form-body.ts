import type { TSchema } from '@sinclair/typebox';
import { isUtf8 } from 'node:buffer';
import { HttpError } from '../errors.ts';
import { unstorableContent, MAX_FIELDS, type ParsedBody } from './json-body.ts';
import { conversionOf } from './conversions.ts';

/**
 * Parses a form. Numbers and booleans are converted as in a query. A field whose schema is an array gets all values
 * with its name. Any other field that is sent several times also becomes an array, which its schema then refuses. An
 * empty field counts as absent, unless it is a string.
 *
 * @throws HttpError 400
 */
export const parseForm = (bytes: Buffer, schema: TSchema | undefined): ParsedBody => {
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
  const given = new URLSearchParams(bytes.toString('utf8'));
  if (given.size > MAX_FIELDS) {
    throw new HttpError(400, `The body has more than ${MAX_FIELDS.toLocaleString('en')} fields.`);
  }
  const properties = (schema?.['properties'] ?? {}) as Record<string, TSchema>;
  const value: Record<string, unknown> = {};
  for (const name of new Set(given.keys())) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // Fields that are not in the schema are ignored.
    if (!property) continue;
    const isList = property['type'] === 'array';
    const reading = conversionOf(isList ? ((property['items'] ?? {}) as TSchema) : property);
    const values = given
      .getAll(name)
      .map((text) => (text === '' && !isText(property) ? undefined : reading(text)))
      .filter((one) => one !== undefined);
    if (values.length > 0) value[name] = isList || values.length > 1 ? values : values[0];
  }
  return { value, ...unstorableContent(value) };
};

const isText = (schema: TSchema): boolean => [schema['type']].flat().includes('string');
