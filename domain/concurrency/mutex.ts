/** Runs tasks one after another. A failed task does not affect the following ones. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks with the same key one after another, and tasks with different keys concurrently. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
};

/** Returns a function that runs at most `limit` tasks concurrently. Further tasks wait in a queue. */
export const createSemaphore = (limit: number): Mutex => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= limit) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await task();
    } finally {
      // The next waiting task takes over the slot, so `running` does not change.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** Creates a keyed mutex. Keys without running or waiting tasks use no memory. */
export const createKeyedMutex = (): KeyedMutex => {
  const keys = new Map<string, { mutex: Mutex; tasks: number }>();
  return async (key, task) => {
    const known = keys.get(key) ?? { mutex: createMutex(), tasks: 0 };
    keys.set(key, known);
    known.tasks += 1;
    try {
      return await known.mutex(task);
    } finally {
      known.tasks -= 1;
      if (known.tasks === 0) keys.delete(key);
    }
  };
};
