import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** The keywords of JSON Schema that the domain uses and that matter for creating a value. */
interface Schema {
  const?: unknown;
  examples?: unknown[];
  type?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
}

const ajv = new Ajv();
formats.default(ajv);

/** Candidates for texts and numbers. The first valid candidate is used. */
const TEXTS = [
  'a1b2c3d4e5f6',
  '2026-11-20T15:04:05.123000',
  '2026-11-20',
  'Example',
  'https://status.example.com/',
  'status.example.com',
  '#1A2B3C',
  '12h, 30m',
  'en',
  'UTC',
  '0123456789abcdef'.repeat(4),
  'someone@example.com',
  '127.0.0.1',
];
const NUMBERS = [1, 0, 30, 60, 443, 0.5, 1_000];

/**
 * Returns the same instance of a schema at each call. If the schema has examples, the instance is the first example.
 * Otherwise the instance has every optional field, and in a union the first alternative that is not null.
 *
 * @throws Error if no candidate is valid; add a valid one above
 */
export const sampleOf = (given: unknown): unknown => {
  const schema = given as Schema;
  const { examples: [example] = [], type, anyOf, allOf, items, properties, patternProperties } = schema;
  if (example !== undefined) return example;
  if ('const' in schema) return schema.const;
  if (anyOf) return sampleOf(anyOf.find((option) => option.type !== 'null') ?? anyOf[0]);
  if (allOf) return Object.assign({}, ...allOf.map(sampleOf)) as unknown;
  switch (type) {
    case 'object':
      return {
        ...each(patternProperties, (pattern) => valid({ type: 'string', pattern }, TEXTS)),
        ...each(properties, (name) => name),
      };
    case 'array':
      return items ? [sampleOf(items)] : [];
    case 'string':
      return valid(schema, TEXTS);
    case 'integer':
    case 'number':
      return valid(schema, NUMBERS);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'anything';
  }
};

const each = (schemas: Record<string, Schema> | undefined, name: (key: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas ?? {}).map(([key, schema]) => [name(key), sampleOf(schema)]));

const valid = <T>(schema: object, values: readonly T[]): T => {
  const validate = ajv.compile(schema);
  const value = values.find((candidate) => validate(candidate));
  if (value === undefined) throw new Error(`No sample satisfies ${JSON.stringify(schema)}.`);
  return value;
};
