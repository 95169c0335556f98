import type { Collection, Db } from 'mongodb';

/** A gate at which the operations of a participant wait until they may pass one by one. */
export interface Gate {
  /** Runs an operation when it may pass. Waiting operations pass in the order of their arrival. */
  pass: <T>(operation: () => Promise<T>) => Promise<T>;
  /**
   * Resolves to true when an operation of the participant waits at the gate, or to false when the participant has
   * ended.
   */
  waits: () => Promise<boolean>;
  /**
   * Lets one operation run to completion. Resolves when another operation of the participant waits, or the participant
   * has ended.
   */
  step: () => Promise<void>;
  /** Runs a function whose operations wait for `step`. */
  run: (action: () => Promise<unknown>) => void;
  /** returns the error of the function if it has failed */
  failure: () => unknown;
}

export const createGate = (): Gate => {
  const waiting: (() => Promise<void>)[] = [];
  let ended = true;
  let failure: unknown = null;
  let changed: (() => void) | null = null;
  const announce = (): void => {
    changed?.();
    changed = null;
  };
  /** Resolves when the participant waits before an operation, or has ended. */
  const settled = async (): Promise<void> => {
    while (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (changed = resolve));
  };
  return {
    pass: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push(() => operation().then(resolve, reject));
        announce();
      }),
    waits: async () => {
      await settled();
      return waiting.length > 0;
    },
    step: async () => {
      await settled();
      await waiting.shift()?.();
      await settled();
    },
    run: (action) => {
      ended = false;
      action()
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => {
          ended = true;
          announce();
        });
    },
    failure: () => failure,
  };
};

/**
 * Operations that wait at the gate, because they read or write documents. Other operations, such as creating indexes,
 * do not affect the outcome.
 */
const OPERATIONS = new Set(['findOne', 'insertOne', 'insertMany', 'updateOne', 'bulkWrite', 'deleteMany', 'deleteOne']);

/** Runs an operation of this name when it may pass. */
type Pass = <T>(operation: () => Promise<T>, name: string) => Promise<T>;

/** Wraps a database so that its operations wait at a gate. */
export const gated = (db: Db, pass: Pass): Db =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'dropCollection') return (dropped: string) => pass(() => target.dropCollection(dropped), name);
      if (name === 'listCollections') {
        return (...given: Parameters<Db['listCollections']>) => ({
          toArray: () => pass(() => target.listCollections(...given).toArray(), name),
        });
      }
      if (name !== 'collection') return bound(target, name);
      return (...given: Parameters<Db['collection']>) => {
        const collection = target.collection(...given);
        return given[0] === 'journal_parts' ? collection : gatedCollection(collection, pass);
      };
    },
  });

const gatedCollection = (collection: Collection, pass: Pass): Collection =>
  new Proxy(collection, {
    get: (target, name) => {
      const method = bound(target, name);
      if (typeof method !== 'function') return method;
      if (name === 'find') {
        return (...given: unknown[]) => {
          const cursor = (method as (...input: unknown[]) => { toArray: () => Promise<unknown> })(...given);
          return { toArray: () => pass(() => cursor.toArray(), name) };
        };
      }
      if (typeof name !== 'string' || !OPERATIONS.has(name)) return method;
      return (...given: unknown[]) => {
        const operation = (): Promise<unknown> => (method as (...input: unknown[]) => Promise<unknown>)(...given);
        return isGlance(name, given) ? operation() : pass(operation, name);
      };
    },
  });

/**
 * Returns whether a read fetches only some fields of one document by id. Such reads do not affect the outcome: they
 * only explain a failure or repeat known facts.
 */
const isGlance = (name: string, [filter, options]: unknown[]): boolean =>
  name === 'findOne' && Object.keys(filter ?? {}).join() === '_id' && Object.hasOwn(options ?? {}, 'projection');

const bound = (target: object, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
};

type Choice = 'first' | 'second';

/**
 * Runs two participants once through every interleaving of their operations, with bounded concurrency.
 *
 * @param run creates two participants whose operations pass the gates, and asserts the outcome when both have ended
 * @returns the number of interleavings
 */
export const everyInterleaving = async (
  run: (slot: number, interleave: (gates: Record<Choice, Gate>) => Promise<readonly Choice[]>) => Promise<void>,
  slots: number,
): Promise<number> => {
  const open: Choice[][] = [[]];
  let count = 0;
  let working = 0;
  const work = async (slot: number): Promise<void> => {
    for (;;) {
      const prefix = open.pop();
      if (!prefix) {
        if (working === 0) return;
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      working++;
      count++;
      await run(slot, async (gates) => {
        const choices: Choice[] = [];
        for (;;) {
          const [first, second] = [await gates.first.waits(), await gates.second.waits()];
          if (!first && !second) return choices;
          const choice = prefix[choices.length] ?? (first ? 'first' : 'second');
          // If both participants could have continued, the other choice begins a further interleaving.
          if (choices.length >= prefix.length && first && second) open.push([...choices, 'second']);
          choices.push(choice);
          await gates[choice].step();
        }
      }).finally(() => working--);
    }
  };
  await Promise.all(Array.from({ length: slots }, (_, slot) => work(slot)));
  return count;
};
