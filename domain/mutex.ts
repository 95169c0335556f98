/** Runs tasks one after another; one that fails does not stop the next. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks of one key one after another, and those of different keys in parallel. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return turn;
  };
};

/** Runs so many tasks at a time; others wait for their turn, in order. */
export const createSemaphore = (atOnce: number): Mutex => {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (task) => {
    if (underWay >= atOnce) await new Promise<void>((begin) => waiting.push(begin));
    else underWay += 1;
    try {
      return await task();
    } finally {
      // The place is handed over.
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
};

/** A key is forgotten when no task of it is under way. */
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
