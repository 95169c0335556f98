import type { Memory } from '../../probes/engine/memory.ts';
import type { FromMemory, ToMemory } from './messages.ts';

/** The parent's memory, as used by a probe process. */
export interface RemoteMemory extends Memory {
  /** Handles a response of the parent. */
  hear: (answer: FromMemory) => void;
}

/** @param say sends to the parent */
export const createRemoteMemory = (say: (asked: ToMemory) => void): RemoteMemory => {
  const waiting = new Map<number, (value: unknown) => void>();
  let last = 0;
  const ask = (asked: (id: number) => ToMemory): { id: number; answer: Promise<unknown> } => {
    const id = ++last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    say(asked(id));
    return { id, answer };
  };

  return {
    hear: ({ answered, value }) => {
      waiting.get(answered)?.(value);
      waiting.delete(answered);
    },
    recall: (key) => ask((id) => ({ recall: key, id })).answer,
    remember: (key, value, seconds) => {
      say({ remember: key, value, seconds });
    },
    turn: async (key, pauseMs, signal) => {
      signal.throwIfAborted();
      const { id, answer } = ask((asked) => ({ turn: key, pauseMs, id: asked }));
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(id);
          say({ leave: id });
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        void answer.then(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        });
      });
    },
  };
};
