/**
 * Does the same work once for all who ask for it at the same time. It is aborted when none of them waits any more.
 *
 * @param key names the work, and the state of what it reads: who asks after a change must not get what was read before
 * @param signal aborted when this one waits no longer
 * @throws the reason of the signal, or whatever the work throws
 */
export type ShareWork = <T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface Work {
  result: Promise<unknown>;
  /** how many wait for it */
  waiting: number;
  controller: AbortController;
}

export const createShareWork = (): ShareWork => {
  const underWay = new Map<string, Work>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<unknown>): Work => {
    const controller = new AbortController();
    const begun: Work = { result: work(controller.signal), waiting: 0, controller };
    const end = (): void => {
      if (underWay.get(key) === begun) underWay.delete(key);
    };
    begun.result.then(end, end);
    underWay.set(key, begun);
    return begun;
  };

  return async <T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const shared = underWay.get(key) ?? begin(key, work);
    shared.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          if (underWay.get(key) === shared) underWay.delete(key);
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
