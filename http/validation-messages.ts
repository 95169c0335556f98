import type { ErrorObject } from 'ajv';

/** Error messages by field (dotted path), as in the error body. */
export type FieldMessages = Record<string, string[]>;

/** The key for errors that do not concern a single field. */
export const WHOLE_KEY = '_schema';

/** Maximum number of invalid fields in a response (docs/reference/errors.md#bounds-of-errors). */
export const MAX_REPORTED_FIELDS = 100;

/** Returns a message about the number of further invalid fields. */
export const andMore = (fields: number): string =>
  fields === 1 ? '1 more field is invalid.' : `${fields.toLocaleString('en')} more fields are invalid.`;

/**
 * Collects the errors of up to {@link MAX_REPORTED_FIELDS} fields, without duplicates. Further fields are only counted.
 */
export const createMessageCollector = () => {
  const sentences = new Map<string, string[]>();
  const others = new Set<string>();
  return {
    add: (field: string, sentence: string): void => {
      const known = sentences.get(field);
      if (known) {
        if (!known.includes(sentence)) known.push(sentence);
      } else if (sentences.size < MAX_REPORTED_FIELDS) sentences.set(field, [sentence]);
      else others.add(field);
    },
    result: (): FieldMessages | null => {
      if (sentences.size === 0) return null;
      const collected = Object.fromEntries(sentences);
      if (others.size > 0) collected[WHOLE_KEY] = [...(collected[WHOLE_KEY] ?? []), andMore(others.size)];
      return collected;
    },
  };
};

/** Converts errors of ajv to messages for people. Returns null if there are none. */
export const messagesOf = (errors: readonly ErrorObject[]): FieldMessages | null => {
  const { add, result } = createMessageCollector();
  const cachedSentenceOf = cachingSentences();
  for (const error of narrowest(outermost(errors))) {
    const sentence = cachedSentenceOf(error);
    if (sentence !== null) add(fieldOf(error), sentence);
  }
  return result();
};

/**
 * Creates a function that reuses the message for consecutive errors of the same keyword and schema. A body may have
 * 20,000 equal errors, so this saves time.
 */
const cachingSentences = (): ((error: ErrorObject) => string | null) => {
  let last: ErrorObject | null = null;
  let sentence: string | null = null;
  return (error) => {
    if (error.keyword !== last?.keyword || error.parentSchema !== last.parentSchema) sentence = sentenceOf(error);
    last = error;
    return sentence;
  };
};

/**
 * Removes errors that only follow from other errors. If an `anyOf` has failed, the errors of its alternatives are
 * removed. If a value has the wrong type, its other errors are removed.
 */
const outermost = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const anyOfs = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`));
  const alternatives = [...anyOfs];
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  if (alternatives.length === 0 && mistyped.size === 0) return errors;
  return errors.filter(
    ({ keyword, schemaPath, instancePath }) =>
      !alternatives.some((path) => schemaPath.startsWith(path)) && (keyword === 'type' || !mistyped.has(instancePath)),
  );
};

/**
 * Merges errors if several schemas apply to a value, for example the schema of a field and that of the check type. The
 * merged error names the types that all schemas allow, or the strictest limit.
 */
const narrowest = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const merged = new Map<string, ErrorObject>();
  for (const error of errors) {
    const once = error.keyword === 'type' || error.keyword in STRICTER;
    const key = once ? `${error.keyword} ${error.instancePath}` : `#${merged.size}`;
    const before = merged.get(key);
    merged.set(key, before ? both(before, error) : error);
  }
  return [...merged.values()];
};

const both = (one: ErrorObject, other: ErrorObject): ErrorObject => {
  if (one.keyword !== 'type') {
    return STRICTER[one.keyword]?.(Number(one.params['limit']), Number(other.params['limit'])) ? one : other;
  }
  const allowed = new Set(typesOf(other));
  const type = typesOf(one).filter((name) => allowed.has(name));
  return type.length === 0 ? one : { ...one, params: { type } };
};

const typesOf = ({ params }: ErrorObject): string[] => [params['type']].flat().map(String);

const lower = (limit: number, other: number): boolean => limit < other;
const higher = (limit: number, other: number): boolean => limit > other;

/** Returns whether the first of two limits is stricter, by keyword. */
const STRICTER: Record<string, (limit: number, other: number) => boolean> = {
  maximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
  minimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
};

const fieldOf = (error: ErrorObject): string => {
  const dotted = error.instancePath.slice(1).replaceAll('/', '.');
  const path = dotted.includes('~') ? dotted.replaceAll('~1', '/').replaceAll('~0', '~') : dotted;
  const name = error.keyword === 'required' ? String(error.params['missingProperty']) : error.propertyName;
  if (name === undefined) return path === '' ? WHOLE_KEY : path;
  return path === '' ? name : `${path}.${name}`;
};

const NOUNS: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** Messages for invalid formats. They are not used for a schema that has its own `sentence`. */
const FORMATS: Record<string, string> = {
  'http-url': 'Must be an http or https URL.',
  date: 'Must be a date, YYYY-MM-DD.',
  email: 'Must be an e-mail address.',
};

type Sentence = (error: ErrorObject) => string | null;

const own =
  (otherwise: Sentence): Sentence =>
  (error) => {
    const sentence: unknown = error.parentSchema?.['sentence'];
    return typeof sentence === 'string' ? sentence : otherwise(error);
  };

const count = (error: ErrorObject, one: string): string => {
  const limit = Number(error.params['limit']);
  return `${limit} ${limit === 1 ? one : `${one}s`}`;
};

const SENTENCES: Record<string, Sentence> = {
  required: () => 'Missing required field.',
  type: (error) => {
    const types = typesOf(error);
    return `Must be ${types.map((type) => NOUNS[type] ?? type).join(' or ')}.`;
  },
  enum: (error) => {
    const words = (error.params['allowedValues'] as unknown[]).filter((word) => word !== null);
    return `Must be one of: ${words.map(String).join(', ')}.`;
  },
  const: (error) => `Must be ${JSON.stringify(error.params['allowedValue'])}.`,
  anyOf: own((error) => {
    const words = (error.schema as { const?: unknown }[]).map((alternative) => alternative.const);
    return words.every((word) => word !== undefined)
      ? `Must be one of: ${words.map(String).join(', ')}.`
      : 'Does not have any of the accepted forms.';
  }),
  minLength: (error) =>
    error.params['limit'] === 1 ? 'Must not be empty.' : `Must have at least ${count(error, 'character')}.`,
  maxLength: (error) => `Must have at most ${count(error, 'character')}.`,
  minimum: (error) => `Must be greater than or equal to ${String(error.params['limit'])}.`,
  maximum: (error) => `Must be less than or equal to ${String(error.params['limit'])}.`,
  exclusiveMinimum: (error) => `Must be greater than ${String(error.params['limit'])}.`,
  exclusiveMaximum: (error) => `Must be less than ${String(error.params['limit'])}.`,
  multipleOf: (error) => `Must be a multiple of ${String(error.params['multipleOf'])}.`,
  minItems: (error) => `Must have at least ${count(error, 'item')}.`,
  maxItems: (error) => `Must have at most ${count(error, 'item')}.`,
  uniqueItems: () => 'Must not contain the same item twice.',
  minProperties: (error) => `Must have at least ${count(error, 'field')}.`,
  maxProperties: (error) => `Must have at most ${count(error, 'field')}.`,
  pattern: own(() => 'Does not have the right form.'),
  format: own((error) => FORMATS[String(error.params['format'])] ?? 'Does not have the right form.'),
  check: own(() => 'Does not have the right form.'),
  instant: () => 'Must be an ISO 8601 date and time, such as 2026-11-20T15:04:05Z.',
};

/**
 * Keywords whose errors are omitted, because ajv also reports a more precise error: about the invalid name
 * (`propertyNames`) or from the applicable branch (`if`).
 */
const WITHOUT_SENTENCE: ReadonlySet<string> = new Set(['propertyNames', 'if']);

const sentenceOf = (error: ErrorObject): string | null =>
  WITHOUT_SENTENCE.has(error.keyword) ? null : (SENTENCES[error.keyword]?.(error) ?? 'Is not valid.');
