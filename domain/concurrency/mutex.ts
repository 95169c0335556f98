/** Runs tasks one after another; a failed task does not affect the next. */
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

/** Runs at most `limit` tasks concurrently; others wait in a queue. */
export const createSemaphore = (limit: number): Mutex => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= limit) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await task();
    } finally {
      // A waiting task takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** Keys without running or waiting tasks use no memory. */
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
