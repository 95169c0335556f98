import {
  Type,
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';
import { step, type CommandContext } from '../commands/engine/context.ts';
import { Invalid } from '../domain/errors.ts';
import { isFields } from '../domain/fields.ts';
import { timeSlices } from '../domain/time-slices.ts';
import { Overdue } from '../http/deadline.ts';
import { errorAnswer, ErrorBody, HttpError } from '../http/errors.ts';
import { LateBody } from '../http/routes/perform.ts';
import { isKept } from '../http/routes/idempotency.ts';
import { compile, type Validate } from '../http/routes/validate.ts';
import type { Sentences } from '../http/sentences.ts';
import type { Matching } from '../queries/engine/matching.ts';
import type { Call } from './route.ts';
import { ok, type Answer } from './route.ts';
import { Id, nullable } from './schema.ts';

/*
 * Requests that do the same to many resources (docs/decisions.md: Bulk changes). Each item is a command of its own, as
 * the route for a single one gives it, with an id of its own that follows from the request: what a repeated request has
 * done before is found, and not done again. What the items need of read models is read before the first of them, since
 * afterwards each read would wait for the writes of the others.
 */

/** How many items one request may have. */
export const MOST_ITEMS = 1_000;

/** Items that are under way at once: their events share commits. */
const AT_ONCE = 50;

/** Time that is left for the read models to follow, and for the answer, milliseconds. */
const ANSWERING_MS = 2_500;

export const BulkResult = Type.Object({
  id: nullable({ ...Id, description: 'null: of a resource that was not created' }),
  status: Type.Integer({ description: 'what the request for this one alone would have been answered with' }),
  error: nullable(ErrorBody),
});
export type BulkResult = Static<typeof BulkResult>;

const results = Type.Array(BulkResult, { description: 'in the order of the items' });

/** What came of each item: of a late read model, too. */
export const bulkAnswers = {
  200: Type.Object({ results }),
  202: Type.Object({ ...LateBody.properties, results }),
};

/**
 * An object whose fields must be known ones: a condition or a change that is misspelt must not be ignored where it
 * concerns a thousand resources.
 */
export const strictly = <P extends TProperties>(properties: P, options: { description?: string } = {}) => ({
  ...Type.Object(properties, {
    ...options,
    minProperties: 1,
    additionalProperties: true,
    propertyNames: { enum: Object.keys(properties) },
  }),
  published: Type.Object(properties, { ...options, minProperties: 1, additionalProperties: false }),
});

type InBody<T> = T extends readonly unknown[] ? T | string : T;

/** A filter with the names and values of query parameters. */
export interface BodyFilter<P extends TProperties> {
  schema: TObject<{ [K in keyof P]: TOptional<TUnsafe<InBody<Static<P[K]>>>> }>;
  /** The values as a query has them. */
  read: (filter: { [K in keyof P]?: InBody<Static<P[K]>> }) => { [K in keyof P]?: Static<P[K]> };
}

const itemsOf = (list: string): string[] => list.split(',').map((item) => item.trim());

/** Several values are an array, or one text with commas, as a query has them. */
const listOrText = (list: TSchema): TSchema => {
  let validate: Validate | null = null;
  const words = (list['items'] as { enum?: string[] } | undefined)?.enum;
  return {
    ...list,
    type: ['array', 'string'],
    maxLength: LONGEST_LIST,
    check: (value: unknown) => typeof value !== 'string' || (validate ??= compile(list))(itemsOf(value)) === null,
    sentence: words ? `Must be one or more of: ${words.join(', ')}.` : 'Does not have the right form.',
  };
};

/** Characters of a text with commas. */
const LONGEST_LIST = 6_000;

/** A filter for bodies, made from the query parameters of a list. An empty text, which finds everything, is none. */
export const bodyFilter = <P extends TProperties>(parameters: P, options?: { description: string }): BodyFilter<P> => {
  const properties = Object.entries(parameters).map(([name, schema]) => [
    name,
    schema['type'] === 'array'
      ? listOrText(schema)
      : schema['type'] === 'string'
        ? { ...schema, minLength: 1 }
        : schema,
  ]);
  const read = (filter: object): object =>
    Object.fromEntries(
      Object.entries(filter).map(([name, value]: [string, unknown]) => [
        name,
        parameters[name]?.['type'] === 'array' && typeof value === 'string' ? itemsOf(value) : value,
      ]),
    );
  return {
    schema: strictly(Object.fromEntries(properties), options) as unknown as BodyFilter<P>['schema'],
    read: read,
  };
};

/** The fields of a body that select resources: by their ids, or by a filter. */
export const selecting = <F extends TSchema>(filter: F) => ({
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MOST_ITEMS, description: 'resources; each counts once' })),
  filter: Type.Optional(filter),
});

/** What is wrong with the way in which a body selects resources and says what to do with them. */
export const brokenSelection = (body: unknown): Sentences | null => {
  if (!isFields(body)) return null;
  const { ids, filter, change } = body;
  const broken: Sentences = {
    ...(ids === undefined && filter === undefined && { ids: ['Missing required field: ids or a filter.'] }),
    ...(ids !== undefined && filter !== undefined && { filter: ["Can't be sent together with ids."] }),
    ...(change === undefined && { change: ['Missing required field.'] }),
  };
  return Object.keys(broken).length === 0 ? null : broken;
};

/**
 * The ids that a request selects, each once.
 *
 * @throws Invalid more match the filter than one request may change
 */
export const selectedIds = async <F>(
  { ids, filter }: { ids?: readonly string[]; filter?: F },
  matching: (filter: F, limit: number) => Promise<Matching>,
): Promise<string[]> => {
  if (!filter) return [...new Set(ids)];
  const found = await matching(filter, MOST_ITEMS);
  if (found.total <= MOST_ITEMS) return found.ids;
  const [matches, most] = [found.total, MOST_ITEMS].map((count) => count.toLocaleString('en'));
  throw Invalid.field(
    'filter',
    `Matches ${matches} of them; one request changes at most ${most}. Send ids in portions.`,
  );
};

/** One thing that a request does. */
export interface BulkItem {
  /** distinguishes its command from those of the others; the same in a repeated request */
  name: string;
  /** null: it is yet to be created */
  id: string | null;
  /** @returns the id, and the status that the route for a single one answers */
  perform: (context: CommandContext) => Promise<{ id: string; status: number }>;
}

type Doing = Pick<Call<unknown, unknown, unknown>, 'context' | 'left' | 'refusalOf'>;

const NOT_BEGUN = errorAnswer(
  new HttpError(503, 'Not begun: the request took too long. Nothing was changed; please send this one again.'),
).body;

/** Does all items, some at once, as long as there is time: the rest is answered 503. */
const resultsOf = async (items: readonly BulkItem[], { context, left, refusalOf }: Doing): Promise<BulkResult[]> => {
  const time = left();
  const over = new AbortController();
  const timer = setTimeout(
    () => {
      over.abort(new Overdue());
    },
    Math.max(time - ANSWERING_MS, time / 2),
  );
  const overdue = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => {
      reject(over.signal.reason as Error);
    });
  });
  overdue.catch(() => undefined);
  const refused = (id: string | null, error: ErrorBody): BulkResult => ({ id, status: error.code, error });
  const pause = timeSlices();
  const results: BulkResult[] = [];
  const resultOf = async ({ name, id, perform }: BulkItem): Promise<BulkResult> => {
    try {
      const performed = perform(step(context, `bulk/${name}`));
      performed.catch(() => undefined);
      return { ...(await Promise.race([performed, overdue])), error: null };
    } catch (error) {
      return refused(id, refusalOf(error).body);
    }
  };
  try {
    for (let first = 0; first < items.length; first += AT_ONCE) {
      const some = items.slice(first, first + AT_ONCE);
      if (over.signal.aborted) results.push(...some.map(({ id }) => refused(id, NOT_BEGUN)));
      else results.push(...(await Promise.all(some.map(resultOf))));
      await pause();
    }
  } finally {
    clearTimeout(timer);
  }
  return results;
};

/** The answer to a request that does all these items: what came of each, in their order. */
export const answerInBulk = async (items: readonly BulkItem[], doing: Doing): Promise<Answer> => {
  const results = await resultsOf(items, doing);
  return {
    ...ok(() => ({ results })),
    late: { results },
    incomplete: results.some(({ status }) => !isKept(status)),
  };
};
