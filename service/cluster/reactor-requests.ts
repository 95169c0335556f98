import { readLastRequest } from '../../reactors/engine/checkpoint.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Polling interval for requests of commands to reactors, in milliseconds. */
const POLL_MS = 10_000;

/**
 * Notifies the reactors of this process when a command makes a request to reactors, in whichever process. One poll of
 * `Coordination` serves all reactors, and polling pauses while none of them listens.
 *
 * @param every interval between polls, in milliseconds; tests use less
 * @returns a function that registers a callback, and returns a function that unregisters it. The callback is called
 * soon after its registration and after each request
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
      // Ignore the error: other parts of the process report that the store does not respond, and the next poll may
      // succeed.
    } finally {
      underWay = false;
    }
  };

  return (callback) => {
    // The wrapper is necessary because the same function may be registered twice.
    const own = (): void => {
      callback();
    };
    listeners.add(own);
    // A request may have been made before this callback was registered, so the next poll has to call the callbacks.
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
