import type { TSchema } from '@sinclair/typebox';
import { HTTP_URL_PATTERN } from '../../http/http-url.ts';

export type OpenApiObject = Record<string, unknown>;

/** Converts a schema for the OpenAPI document. */
export type PublishSchema = (schema: TSchema) => OpenApiObject;

/**
 * Creates a function that converts route schemas for the OpenAPI document. A schema with a title is moved to the
 * component of that name and replaced by a reference.
 *
 * @throws Error if two different schemas have the same title
 */
export const createPublisher = (): { publish: PublishSchema; schemas: () => OpenApiObject } => {
  const components = new Map<string, OpenApiObject>();

  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    return typeof value === 'object' && value !== null ? publish(value as TSchema) : value;
  };

  const refer = (title: string, schema: OpenApiObject): OpenApiObject => {
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  const publish = (schema: TSchema): OpenApiObject => {
    if (schema['published'] !== undefined) return publish(schema['published'] as TSchema);
    const { title, type, ...rest }: OpenApiObject = schema;
    if (typeof title !== 'string') return fields(schema);
    const nullable = Array.isArray(type) && type.includes('null');
    const reference = refer(title, fields({ ...rest, type: nullable ? (type[0] as unknown) : type }));
    return nullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  };

  const fields = (schema: OpenApiObject): OpenApiObject => {
    const words = literals(schema['anyOf']);
    const { anyOf, ...others } = schema;
    const plain: OpenApiObject = words
      ? { ...others, type: 'string', enum: words }
      : anyOf === undefined
        ? others
        : schema;
    const published: OpenApiObject = {};
    for (const [key, value] of Object.entries(plain)) {
      if (key === 'format' && value === 'http-url')
        Object.assign(published, { format: 'iri', pattern: HTTP_URL_PATTERN });
      else if (key === 'properties' || key === 'patternProperties')
        published[key] = mapped(value as Record<string, TSchema>);
      else if (VERBATIM.has(key)) published[key] = value;
      else if (key === 'sentence') published['x-rule'] = value;
      else if (!OWN_WORDS.has(key) && value !== undefined) published[key] = shown(value);
    }
    return published;
  };

  const mapped = (properties: Record<string, TSchema>): OpenApiObject =>
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, publish(property)]));

  return {
    publish,
    schemas: () => Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
};

/**
 * Custom keywords of api/schema.ts that are not published. (The custom keyword `sentence` is published as `x-rule`.)
 */
const OWN_WORDS = new Set(['check', 'instant']);
/** Keywords whose values are data, not schemas. */
const VERBATIM = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);

/** Returns the values of a union of string literals, or null for any other union. */
const literals = (alternatives: unknown): string[] | null => {
  if (!Array.isArray(alternatives)) return null;
  const words = alternatives.map((alternative: OpenApiObject) => alternative['const']);
  return words.every((word) => typeof word === 'string') ? words : null;
};
