import {
  Type,
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';
import { stepContext, type CommandContext } from '../commands/engine/context.ts';
import { Invalid } from '../domain/errors.ts';
import { isFields } from '../domain/fields.ts';
import { timeSlices } from '../domain/concurrency/time-slices.ts';
import { Overdue } from '../http/deadline.ts';
import { errorResponse, ErrorBody, HttpError } from '../http/errors.ts';
import { LateBody } from '../http/routes/perform.ts';
import { isStoredStatus } from '../http/routes/idempotency.ts';
import { compile, type Validate } from '../http/routes/validate.ts';
import type { FieldMessages } from '../http/validation-messages.ts';
import type { FilterMatches } from '../queries/engine/matching.ts';
import type { Call } from './route.ts';
import { ok, type RouteResponse } from './route.ts';
import { Id, nullable } from './schema.ts';

/*
 * Requests that change many resources (docs/reference/bulk-changes.md). Each item runs the same command as the route
 * for a single resource. The command id of an item is derived from the request, so a repeated request does not repeat
 * items that were already done. All reads of read models that the items need take place before the first item is
 * performed. Later reads would wait until the read models contain the writes of other items.
 */

/** Maximum number of items per request. */
export const MAX_BULK_ITEMS = 1_000;

/** Number of items that are processed concurrently, so that their events share commits. */
const AT_ONCE = 50;

/** Time reserved for the read models to catch up and for sending the response, in milliseconds. */
const ANSWERING_MS = 2_500;

export const BulkResult = Type.Object({
  id: nullable({ ...Id, description: 'Null for a resource that was not created.' }),
  status: Type.Integer({ description: 'The status that a request for this resource alone would have had.' }),
  error: nullable(ErrorBody),
});
export type BulkResult = Static<typeof BulkResult>;

const results = Type.Array(BulkResult, { description: 'In the order of the items.' });

/** Responses with the result of each item. 202 means that the read models have not caught up yet. */
export const bulkResponses = {
  200: Type.Object({ results }),
  202: Type.Object({ ...LateBody.properties, results }),
};

/**
 * Creates an object schema that refuses unknown fields. If a misspelt filter were ignored, the request would change
 * resources that the client did not mean.
 */
export const strictObject = <P extends TProperties>(properties: P, options: { description?: string } = {}) => ({
  ...Type.Object(properties, {
    ...options,
    minProperties: 1,
    additionalProperties: true,
    propertyNames: { enum: Object.keys(properties) },
  }),
  published: Type.Object(properties, { ...options, minProperties: 1, additionalProperties: false }),
});

type InBody<T> = T extends readonly unknown[] ? T | string : T;

/** A filter in a body. It has the same fields and values as the query parameters of a list. */
export interface BodyFilter<P extends TProperties> {
  schema: TObject<{ [K in keyof P]: TOptional<TUnsafe<InBody<Static<P[K]>>>> }>;
  /** Converts the filter to the values that the query parameters would have. */
  read: (filter: { [K in keyof P]?: InBody<Static<P[K]>> }) => { [K in keyof P]?: Static<P[K]> };
}

const itemsOf = (list: string): string[] => list.split(',').map((item) => item.trim());

/** Creates a schema that accepts a list as an array or as a comma-separated string. */
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

/** Maximum length of a comma-separated string. */
const LONGEST_LIST = 6_000;

/**
 * Creates a filter for bodies from the query parameters of a list. Empty strings are refused, because an empty filter
 * would match every resource.
 */
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
    schema: strictObject(Object.fromEntries(properties), options) as unknown as BodyFilter<P>['schema'],
    read: read,
  };
};

/** The fields of a body that select resources by their ids or by a filter. */
export const selectionFields = <F extends TSchema>(filter: F) => ({
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: MAX_BULK_ITEMS,
      description: 'The resources to change. Duplicates count once.',
    }),
  ),
  filter: Type.Optional(filter),
});

/** Returns the errors in the combination of `ids`, `filter` and `change`. */
export const selectionErrors = (body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { ids, filter, change } = body;
  const broken: FieldMessages = {
    ...(ids === undefined && filter === undefined && { ids: ['Missing required field: ids or a filter.'] }),
    ...(ids !== undefined && filter !== undefined && { filter: ["Can't be sent together with ids."] }),
    ...(change === undefined && { change: ['Missing required field.'] }),
  };
  return Object.keys(broken).length === 0 ? null : broken;
};

/**
 * Returns the distinct ids that a request selects.
 *
 * @throws Invalid if the filter matches more resources than one request is allowed to change
 */
export const selectedIds = async <F>(
  { ids, filter }: { ids?: readonly string[]; filter?: F },
  matching: (filter: F, limit: number) => Promise<FilterMatches>,
): Promise<string[]> => {
  if (!filter) return [...new Set(ids)];
  const found = await matching(filter, MAX_BULK_ITEMS);
  if (found.total <= MAX_BULK_ITEMS) return found.ids;
  const [matches, most] = [found.total, MAX_BULK_ITEMS].map((count) => count.toLocaleString('en'));
  throw Invalid.field(
    'filter',
    `Matches ${matches} resources, but one request changes at most ${most}. Send ids in several requests.`,
  );
};

/** One item of a request. */
export interface BulkItem {
  /** Unique name within the request. A repeated request gives the item the same name. */
  name: string;
  /** Id of the resource. Null for an item that creates a resource. */
  id: string | null;
  /** Runs the command. Returns the id, and the status that the route for a single resource would respond with. */
  perform: (context: CommandContext) => Promise<{ id: string; status: number }>;
}

type BulkCall = Pick<Call<unknown, unknown, unknown>, 'context' | 'remaining' | 'errorResponseOf'>;

const NOT_BEGUN = errorResponse(
  new HttpError(503, 'The request took too long, so this item was not started. Nothing was changed; send it again.'),
).body;

/** Performs the items, {@link AT_ONCE} concurrently. Items that were not started within the time limit get 503. */
const resultsOf = async (
  items: readonly BulkItem[],
  { context, remaining, errorResponseOf }: BulkCall,
): Promise<BulkResult[]> => {
  const time = remaining();
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
      const performed = perform(stepContext(context, `bulk/${name}`));
      performed.catch(() => undefined);
      return { ...(await Promise.race([performed, overdue])), error: null };
    } catch (error) {
      return refused(id, errorResponseOf(error).body);
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

/** Performs all items and responds with their results, in order. */
export const performInBulk = async (items: readonly BulkItem[], call: BulkCall): Promise<RouteResponse> => {
  const results = await resultsOf(items, call);
  return {
    ...ok(() => ({ results })),
    late: { results },
    incomplete: results.some(({ status }) => !isStoredStatus(status)),
  };
};
