import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { parseCondition } from '../conditions.ts';
import { totalOrder } from '../indexes.ts';
import { pageBoundsOf } from '../matches.ts';
import { topLevelName } from '../values.ts';
import type { ListResponse, ListRequest, ListThreadData } from './list-messages.ts';
import { available } from './generation-files.ts';
import {
  GenerationDamaged,
  GenerationMissing,
  ReadStoreUnavailable,
  type Document,
  type Generation,
  type Query,
  type ReadStore,
} from '../port.ts';
import { openSqliteReadStore } from './open.ts';

type ListQuery = ListRequest extends infer Request ? (Request extends unknown ? Omit<Request, 'id'> : never) : never;

interface Waiting {
  resolve: (response: ListResponse) => void;
  reject: (error: Error) => void;
}

/**
 * Opens read models in SQLite files, for reading on the main thread. Reads single documents (about 10 µs each) and
 * lists of collections with few documents directly. The list thread reads all other lists and counts, so that a long
 * list does not delay other requests. The main thread parses such a list in parts. Requests to the list thread are
 * collected during one iteration of the event loop, and sent in one message. Writes are refused.
 */
export const openThreadedReadStore = ({ directory }: { directory: string }): ReadStore => {
  const local = openSqliteReadStore({ directory, mode: 'reader' });
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let outgoing: ListRequest[] = [];
  let lastId = 0;
  let closed = false;

  const failAll = (error: ReadStoreUnavailable): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  /**
   * Handles the unexpected end of the list thread: its pending requests fail, and the next request starts another
   * thread.
   */
  const died = (thread: Worker, cause?: unknown): void => {
    if (worker !== thread) return;
    worker = null;
    failAll(new ReadStoreUnavailable('The thread that reads lists has ended.', { cause }));
  };

  const start = (): Worker => {
    const workerData: ListThreadData = { directory };
    const thread = startThread('./list-thread', import.meta.url, { workerData, name: 'lists' });
    thread.on('message', (responses: readonly ListResponse[]) => {
      for (const response of responses) {
        waiting.get(response.id)?.resolve(response);
        waiting.delete(response.id);
      }
    });
    thread.on('error', (error) => {
      died(thread, error);
    });
    thread.on('exit', () => {
      died(thread);
    });
    return thread;
  };

  const send = (): void => {
    const requests = outgoing;
    outgoing = [];
    if (closed) return;
    try {
      worker ??= start();
      worker.postMessage(requests);
    } catch (error) {
      failAll(new ReadStoreUnavailable("The thread that reads lists can't be started.", { cause: error }));
    }
  };

  const ask = (question: ListQuery, id = ++lastId): Promise<ListResponse> =>
    new Promise((resolve, reject) => {
      if (closed) throw new ReadStoreUnavailable('The read store is closed.');
      waiting.set(id, { resolve, reject });
      if (outgoing.length === 0) setImmediate(send);
      outgoing.push({ ...question, id });
    });

  /**
   * Returns whether a collection is so small that reading a list of it in this thread is faster than requesting the
   * list from the list thread.
   */
  const isReadHere = (generation: Generation, collection: string): boolean => {
    if (closed) return false;
    try {
      return local.hasFew(generation, collection);
    } catch {
      // Ignore the error: the list thread will get the same error and report it.
      return false;
    }
  };

  /** Yields the parts of a list. Requests the next parts from the thread when the received ones are used up. */
  async function* partsOf(first: ListResponse, of: number, generation: Generation): AsyncGenerator<string> {
    let response = first;
    try {
      for (;;) {
        if (response.kind !== 'found') throw failure(response, generation);
        // `shift` releases the memory of each part after it was parsed.
        for (let part = response.parts.shift(); part !== undefined; part = response.parts.shift()) yield part;
        if (!response.more) return;
        response = await ask({ kind: 'next', generation, of });
      }
    } finally {
      if (response.kind === 'found' && response.more) ask({ kind: 'leave', generation, of }).catch(() => undefined);
    }
  }

  return {
    ...local,

    async find(generation, collection, query) {
      check(query);
      if (isReadHere(generation, collection)) return local.find(generation, collection, query);
      const id = ++lastId;
      return documentsIn(
        partsOf(await ask({ kind: 'find', generation, collection, query }, id), id, generation),
        generation,
      );
    },

    async count(generation, collection, where = {}) {
      check({ where });
      if (isReadHere(generation, collection)) return local.count(generation, collection, where);
      const response = await ask({ kind: 'count', generation, collection, where });
      if (response.kind !== 'counted') throw failure(response, generation);
      return response.count;
    },

    async close() {
      if (closed) return;
      closed = true;
      await local.close();
      failAll(new ReadStoreUnavailable('The read store is closed.'));
      const thread = worker;
      worker = null;
      if (!thread) return;
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage(null);
      await ended;
    },
  };
};

const documentsIn = async (parts: AsyncIterable<string>, generation: Generation): Promise<Document[]> => {
  const pause = timeSlices();
  let found: Document[] | null = null;
  for await (const part of parts) {
    const some = available(() => JSON.parse(part) as Document[], generation);
    if (!found) found = some;
    else for (const document of some) found.push(document);
    await pause();
  }
  return found ?? [];
};

/** Throws a TypeError for an invalid query. Some invalid queries could not even be sent to another thread. */
const check = (query: Query): void => {
  parseCondition(query.where ?? {});
  totalOrder(query.sort ?? {});
  pageBoundsOf(query);
  query.fields?.forEach(topLevelName);
};

const failure = (response: ListResponse, generation: Generation): Error => {
  switch (response.kind) {
    case 'missing':
      return new GenerationMissing(generation);
    case 'damaged':
      return new GenerationDamaged(generation, response.message);
    case 'unavailable':
      return new ReadStoreUnavailable(response.message);
    case 'refused':
      return new TypeError(response.message);
    default:
      return new TypeError(`The list thread gave a response of the wrong kind: ${response.kind}.`);
  }
};
