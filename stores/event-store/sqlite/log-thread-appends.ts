import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.ts';
import { StoreUnavailable, type StoreHealth } from '../port.ts';
import type { FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import type { AppendAnswer, AppendRequest } from './writer.ts';

/** Whoever takes appends for a log: a thread of its own, or the connection of a command line. */
export interface Appends {
  append: (request: AppendRequest) => Promise<AppendAnswer>;
  health: () => StoreHealth;
  close: () => Promise<void>;
}

interface Running {
  worker: Worker;
  ended: Promise<void>;
}

/**
 * Starts the thread that writes a log and talks to it. Appends of one turn of the event loop travel in one
 * message, and so do the answers of one commit. Should the thread end by itself, the outcome of what it had
 * in hand is unknown, and the next append starts another one.
 *
 * @throws Error the thread's own sentence when it can't open the log
 */
export const startLogThread = async (data: LogThreadData): Promise<Appends> => {
  const pending = new Map<number, (answer: AppendAnswer) => void>();
  let queue: (AppendRequest & { number: number })[] = [];
  let last = 0;
  let failure: string | null = null;
  let closed = false;

  const settle = ({ answers, failure: now }: Exclude<FromLogThread, 'ready' | { refused: string }>): void => {
    failure = now;
    for (const { number, answer } of answers) {
      pending.get(number)?.(answer);
      pending.delete(number);
    }
  };

  const lose = (message: string): void => {
    failure = message;
    for (const resolve of pending.values()) resolve({ outcome: 'unavailable', message });
    pending.clear();
    queue = [];
  };

  let running: Running | undefined;
  const start = (): Promise<void> =>
    new Promise((ready, refused) => {
      const worker = startThread('./log-thread', import.meta.url, { workerData: data });
      let cause = 'its thread has ended';
      const ended = new Promise<void>((resolve) => {
        worker.on('exit', () => {
          running = undefined;
          lose(`The log ${data.name} can't be written: ${cause}.`);
          refused(new StoreUnavailable(cause));
          resolve();
        });
      });
      worker.on('error', (error) => {
        cause = error instanceof Error ? error.message : String(error);
      });
      worker.on('message', (message: FromLogThread) => {
        if (message === 'ready') ready();
        else if ('refused' in message) {
          cause = message.refused;
          refused(new Error(cause));
        } else settle(message);
      });
      running = { worker, ended };
    });

  const flush = (): void => {
    if (queue.length === 0) return;
    // A thread that can't be started loses what is pending, with the reason.
    if (!running) void start().catch(() => undefined);
    running?.worker.postMessage({ appends: queue } satisfies ToLogThread);
    queue = [];
  };

  await start();

  return {
    append: (request) =>
      new Promise((resolve) => {
        if (closed) {
          resolve({ outcome: 'unavailable', message: `The log ${data.name} is closed.` });
          return;
        }
        const number = ++last;
        pending.set(number, resolve);
        if (queue.push({ ...request, number }) === 1) setImmediate(flush);
      }),

    health: () => ({ writable: failure === null, message: failure }),

    close: async () => {
      if (closed) return;
      closed = true;
      flush();
      if (!running) return;
      running.worker.postMessage('close' satisfies ToLogThread);
      await running.ended;
    },
  };
};
