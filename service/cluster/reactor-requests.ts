import { readLastRequest } from '../../reactors/engine/checkpoint.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Polling interval for requests of commands to reactors, milliseconds. */
const POLL_MS = 10_000;

/**
 * Notifies the reactors of this process of a request by a command, made in any process. Polls `Coordination` once for
 * all of them, while any of them listens.
 *
 * @param every milliseconds between two polls; tests use less
 * @returns registers a callback, which is called soon and after each request. It returns a function that unregisters it
 */
export const watchReactorRequests = (
  coordination: Pick<Coordination, 'read'>,
  every = POLL_MS,
): ((callback: () => void) => () => void) => {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let known: string | null | undefined;
  let underWay = false;

  const poll = async (): Promise<void> => {
    if (underWay) return;
    underWay = true;
    try {
      const request = await readLastRequest(coordination);
      if (request === known) return;
      known = request;
      for (const listener of [...listeners]) listener();
    } catch {
      // Others report that the store does not respond; the next poll may succeed.
    } finally {
      underWay = false;
    }
  };

  return (callback) => {
    // The same function may be registered twice.
    const own = (): void => {
      callback();
    };
    listeners.add(own);
    // A request may have been made before this callback was registered.
    known = undefined;
    timer ??= setInterval(() => void poll(), every);
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || !timer) return;
      clearInterval(timer);
      timer = null;
    };
  };
};
