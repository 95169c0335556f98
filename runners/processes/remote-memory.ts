import type { RunCache } from '../../probes/engine/run-cache.ts';
import type { FromMemory, ToMemory } from './messages.ts';

/** The cache in the parent process, as a probe process uses it. */
export interface RemoteMemory extends RunCache {
  /** Handles a response from the parent. */
  receive: (answer: FromMemory) => void;
}

/** @param send sends a message to the parent */
export const createRemoteMemory = (send: (message: ToMemory) => void): RemoteMemory => {
  const waiting = new Map<number, (value: unknown) => void>();
  let last = 0;
  const request = (messageFor: (id: number) => ToMemory): { id: number; answer: Promise<unknown> } => {
    const id = ++last;
    const response = new Promise((resolve) => waiting.set(id, resolve));
    send(messageFor(id));
    return { id, answer: response };
  };

  return {
    receive: ({ answered, value }) => {
      waiting.get(answered)?.(value);
      waiting.delete(answered);
    },
    get: (key) => request((id) => ({ recall: key, id })).answer,
    set: (key, value, seconds) => {
      send({ remember: key, value, seconds });
    },
    waitForSlot: async (key, pauseMs, signal) => {
      signal.throwIfAborted();
      const { id, answer: response } = request((asked) => ({ turn: key, pauseMs, id: asked }));
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(id);
          send({ leave: id });
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        void response.then(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        });
      });
    },
  };
};
