/**
 * Shares work among concurrent callers. The work is aborted when no caller waits for it any more.
 *
 * @param key identifies the work and the state that it reads. After a change of that state, callers must use another
 * key, so that they don't get an outdated result
 * @param signal aborts when this caller stops waiting
 * @throws the reason of the signal, or any error of the work
 */
export type ShareWork = <T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface Work {
  result: Promise<unknown>;
  /** number of waiting callers */
  waiting: number;
  controller: AbortController;
}

export const createShareWork = (): ShareWork => {
  const inProgress = new Map<string, Work>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<unknown>): Work => {
    const controller = new AbortController();
    const begun: Work = { result: work(controller.signal), waiting: 0, controller };
    const end = (): void => {
      if (inProgress.get(key) === begun) inProgress.delete(key);
    };
    begun.result.then(end, end);
    inProgress.set(key, begun);
    return begun;
  };

  return async <T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const shared = inProgress.get(key) ?? begin(key, work);
    shared.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          if (inProgress.get(key) === shared) inProgress.delete(key);
          shared.controller.abort(signal.reason);
        }
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      const settled = (): void => {
        signal.removeEventListener('abort', leave);
      };
      shared.result.then(settled, settled);
      (shared.result as Promise<T>).then(resolve, reject);
    });
  };
};
