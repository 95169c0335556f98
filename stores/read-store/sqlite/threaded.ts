import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.ts';
import { timeSlices } from '../../../domain/time-slices.ts';
import { conditionOf } from '../conditions.ts';
import { totalOrder } from '../indexes.ts';
import { pageOf } from '../matches.ts';
import { topLevel } from '../values.ts';
import type { ListAnswer, ListRequest, ListThreadData } from './list-messages.ts';
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

type Question = ListRequest extends infer Request ? (Request extends unknown ? Omit<Request, 'id'> : never) : never;

interface Waiting {
  resolve: (answer: ListAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * Read models in SQLite files, for reading on the main thread: single documents (some 10 µs each) and lists of
 * collections with few documents are read at once, other lists and counts by a thread of their own, so a long one delays
 * nobody else's requests, and is parsed in slices. Requests of one turn of the event loop are sent in one message.
 * Writes are refused.
 */
export const openThreadedReadStore = ({ directory }: { directory: string }): ReadStore => {
  const local = openSqliteReadStore({ directory, mode: 'reader' });
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let outgoing: ListRequest[] = [];
  let asked = 0;
  let closed = false;

  const failAll = (error: ReadStoreUnavailable): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  /** A thread that died fails those who wait for it; the next request starts another. */
  const died = (thread: Worker, cause?: unknown): void => {
    if (worker !== thread) return;
    worker = null;
    failAll(new ReadStoreUnavailable('The thread that reads lists has ended.', { cause }));
  };

  const start = (): Worker => {
    const workerData: ListThreadData = { directory };
    const thread = startThread('./list-thread', import.meta.url, { workerData, name: 'lists' });
    thread.on('message', (answers: readonly ListAnswer[]) => {
      for (const answer of answers) {
        waiting.get(answer.id)?.resolve(answer);
        waiting.delete(answer.id);
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

  const ask = (question: Question, id = ++asked): Promise<ListAnswer> =>
    new Promise((resolve, reject) => {
      if (closed) throw new ReadStoreUnavailable('The read store is closed.');
      waiting.set(id, { resolve, reject });
      if (outgoing.length === 0) setImmediate(send);
      outgoing.push({ ...question, id });
    });

  /** Whether waking the thread would take longer than the list itself. */
  const isReadHere = (generation: Generation, collection: string): boolean => {
    if (closed) return false;
    try {
      return local.hasFew(generation, collection);
    } catch {
      // The thread meets the same failure, and says which.
      return false;
    }
  };

  /** The parts of a list; the thread reads the next ones when these are done with. */
  async function* partsOf(first: ListAnswer, of: number, generation: Generation): AsyncGenerator<string> {
    let answer = first;
    try {
      for (;;) {
        if (answer.kind !== 'found') throw failure(answer, generation);
        // Each part is let go of when it is parsed.
        for (let part = answer.parts.shift(); part !== undefined; part = answer.parts.shift()) yield part;
        if (!answer.more) return;
        answer = await ask({ kind: 'next', generation, of });
      }
    } finally {
      if (answer.kind === 'found' && answer.more) ask({ kind: 'leave', generation, of }).catch(() => undefined);
    }
  }

  return {
    ...local,

    async find(generation, collection, query) {
      check(query);
      if (isReadHere(generation, collection)) return local.find(generation, collection, query);
      const id = ++asked;
      return documentsIn(
        partsOf(await ask({ kind: 'find', generation, collection, query }, id), id, generation),
        generation,
      );
    },

    async count(generation, collection, where = {}) {
      check({ where });
      if (isReadHere(generation, collection)) return local.count(generation, collection, where);
      const answer = await ask({ kind: 'count', generation, collection, where });
      if (answer.kind !== 'counted') throw failure(answer, generation);
      return answer.count;
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

/** What could not even be sent to another thread must be refused here. */
const check = (query: Query): void => {
  conditionOf(query.where ?? {});
  totalOrder(query.sort ?? {});
  pageOf(query);
  query.fields?.forEach(topLevel);
};

const failure = (answer: ListAnswer, generation: Generation): Error => {
  switch (answer.kind) {
    case 'missing':
      return new GenerationMissing(generation);
    case 'damaged':
      return new GenerationDamaged(generation, answer.message);
    case 'unavailable':
      return new ReadStoreUnavailable(answer.message);
    case 'refused':
      return new TypeError(answer.message);
    default:
      return new TypeError(`The list thread answered a different question: ${answer.kind}.`);
  }
};
