import type { TSchema } from '@sinclair/typebox';

type Words = Record<string, unknown>;

/** Generates a value that a schema accepts, with only the required fields of objects. */
export const sampleValue = (schema: TSchema): unknown => {
  const { enum: words, const: one, anyOf, examples, type } = schema as Words;
  if (Array.isArray(examples)) return examples[0] as unknown;
  if (Array.isArray(words)) return words[0] as unknown;
  if (one !== undefined) return one;
  if (Array.isArray(anyOf)) return sampleValue(anyOf[0] as TSchema);
  const sampler = SAMPLERS[String([type].flat()[0])];
  if (!sampler) throw new Error(`No sample of ${JSON.stringify(schema)}: give it examples.`);
  return sampler(schema);
};

let made = 0;

const SAMPLERS: Record<string, (schema: Words) => unknown> = {
  // Make each text different, because names may have to be unique.
  string: ({ format, minLength = 0 }) =>
    format === 'date-time' ? '2026-01-01T00:00:00Z' : `sample ${made++}`.padEnd(Number(minLength), '.'),
  integer: ({ minimum = 1 }) => minimum,
  number: ({ minimum = 1 }) => minimum,
  boolean: () => true,
  null: () => null,
  array: ({ items, minItems = 0 }) => Array.from({ length: Number(minItems) }, () => sampleValue(items as TSchema)),
  object: ({ properties = {}, required = [] }) =>
    Object.fromEntries(
      (required as string[]).map((name) => [
        name,
        sampleValue((properties as Record<string, TSchema>)[name] as TSchema),
      ]),
    ),
};
