import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFields, type Fields } from '../../domain/fields.ts';
import { Refusal, refusalText, type Client } from './client.ts';

/** The outcome for one check. */
export type Created = { id: string } | { refusal: Refusal };

/** Limits of one request; the service allows 1,000 checks, 1 MiB and 20,000 values (docs/reference/requests.md). */
const MAX_CHECKS = 250;
const MAX_BYTES = 786_432;
const MAX_VALUES = 15_000;
/** Attempts for items that the service had no time for. */
const ATTEMPTS = 8;
const PAUSE_MS = 500;
const PASSING: ReadonlySet<unknown> = new Set([409, 429, 503]);

interface Item {
  index: number;
  body: Fields;
}

/**
 * Creates checks with `POST /v1/checks/bulk`, one request after another, so that checks of a group get their positions in
 * order. A request is repeated with its Idempotency-Key while it has items that the service had no time for. If the
 * service refuses a whole request because of some of its items, the other items are sent again without them.
 */
export const createChecks = async (
  client: Client,
  bodies: readonly Fields[],
  done: (index: number, outcome: Created) => void,
): Promise<void> => {
  for (const chunk of chunksOf(bodies)) {
    const outcomes = await createChunk(client, chunk);
    for (const item of chunk) done(item.index, outcomes.get(item) ?? outcomeOf(null));
  }
};

const chunksOf = (bodies: readonly Fields[]): Item[][] => {
  const chunks: Item[][] = [];
  let [bytes, values] = [0, 0];
  for (const [index, body] of bodies.entries()) {
    const size = [Buffer.byteLength(JSON.stringify(body)), countOf(body)] as const;
    const last = chunks.at(-1);
    const fits = bytes + size[0] <= MAX_BYTES && values + size[1] <= MAX_VALUES;
    if (last && last.length < MAX_CHECKS && fits) last.push({ index, body });
    else {
      chunks.push([{ index, body }]);
      [bytes, values] = [0, 0];
    }
    bytes += size[0];
    values += size[1];
  }
  return chunks;
};

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + countOf(one), 1)
    : 1;

const createChunk = async (client: Client, chunk: readonly Item[]): Promise<Map<Item, Created>> => {
  const outcomes = new Map<Item, Created>();
  let waiting = chunk;
  while (waiting.length > 0) {
    const results = await send(client, waiting);
    if (!(results instanceof Refusal)) {
      for (const [n, item] of waiting.entries()) outcomes.set(item, outcomeOf(results[n]));
      return outcomes;
    }
    const refusals = refusalsOf(results, waiting);
    if (refusals.size === 0) {
      for (const item of waiting) {
        outcomes.set(item, isOfContent(results) ? await createOne(client, item) : { refusal: results });
      }
      return outcomes;
    }
    for (const [item, refusal] of refusals) outcomes.set(item, { refusal });
    waiting = waiting.filter((item) => !refusals.has(item));
  }
  return outcomes;
};

/** Returns the results of the items, or the refusal of the whole request. */
const send = async (client: Client, chunk: readonly Item[]): Promise<unknown[] | Refusal> => {
  const idempotencyKey = randomUUID();
  const create = chunk.map(({ body }) => body);
  for (let attempts = 1; ; attempts++) {
    const results = await client
      .write('POST', '/v1/checks/bulk', { create }, { idempotencyKey })
      .then((body) => (isFields(body) && Array.isArray(body['results']) ? (body['results'] as unknown[]) : []))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return error;
      });
    const isPassing = [results].flat().some((result) => isFields(result) && PASSING.has(result['status']));
    if (!isPassing || attempts >= ATTEMPTS) return results;
    await sleep(PAUSE_MS);
  }
};

/** Whether a request may have been refused because of the content of one of its items. */
const isOfContent = ({ status }: Refusal): boolean =>
  status >= 400 && status < 500 && status !== 403 && !PASSING.has(status);

const ITEM = /^create\.(\d+)(?:\.|$)/;

/** Returns the refusals of the items that the errors of a whole request name: `create.5.name`. */
const refusalsOf = (refusal: Refusal, chunk: readonly Item[]): Map<Item, Refusal> => {
  const sentences = new Map<Item, string[]>();
  if (!isOfContent(refusal)) return new Map();
  for (const [path, sentence] of refusal.errors) {
    const [prefix, index] = ITEM.exec(path) ?? [];
    const item = chunk[Number(index)];
    if (prefix === undefined || !item) continue;
    const field = path.slice(prefix.length);
    sentences.set(item, [...(sentences.get(item) ?? []), field === '' ? sentence : `${field}: ${sentence}`]);
  }
  return new Map([...sentences].map(([item, list]) => [item, new Refusal(refusal.status, list.join(' '))]));
};

const createOne = async (client: Client, { body }: Item): Promise<Created> => {
  try {
    const made = await client.write('POST', '/v1/checks', body);
    return outcomeOf({ id: isFields(made) ? made['id'] : null, status: 201 });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: error };
  }
};

const outcomeOf = (result: unknown): Created => {
  const { id, status, error } = isFields(result) ? result : {};
  if (typeof id === 'string' && typeof status === 'number' && status < 300) return { id };
  const sentence = refusalText(error) ?? 'The service has not created the check.';
  return { refusal: new Refusal(typeof status === 'number' ? status : 500, sentence) };
};
