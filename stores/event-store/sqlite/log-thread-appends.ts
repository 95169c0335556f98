import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.ts';
import { StoreUnavailable, type StoreHealth } from '../port.ts';
import type { Answers, FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import type { RemovalStep } from './removal.ts';
import type { AppendAnswer, AppendRequest, RemovalAnswer } from './writer.ts';

/** Takes appends for a log: a thread of its own, or the connection of a command. */
export interface Appends {
  append: (request: AppendRequest) => Promise<AppendAnswer>;
  /** One step of retention; the next one is requested when this one is done. */
  remove: (step: RemovalStep) => Promise<RemovalAnswer>;
  health: () => StoreHealth;
  close: () => Promise<void>;
}

/**
 * How many appends of one turn are sent before the turn is over: the thread inserts them while this one
 * prepares the next, so the two don't wait for each other in turns.
 */
const BATCH = 8;

/** Milliseconds until a thread that has ended unexpectedly is restarted, if no append comes before. */
const RESTART_PAUSE = 1_000;

interface Running {
  worker: Worker;
  ended: Promise<void>;
}

/**
 * Starts the thread that writes a log and talks to it. Appends of one turn of the event loop travel
 * together, and so do the answers of one commit. If the thread ends unexpectedly, the outcome of the appends
 * it was given is unknown, and another thread is started.
 *
 * @throws Error the thread's own message when it can't open the log
 */
export const startLogThread = async (data: LogThreadData): Promise<Appends> => {
  const pending = new Map<number, (answer: AppendAnswer) => void>();
  let queue: (AppendRequest & { number: number })[] = [];
  let removed: ((answer: RemovalAnswer) => void) | null = null;
  let last = 0;
  let failure: string | null = null;
  let opened = false;
  let closed = false;

  const settle = (number: number, answer: AppendAnswer): void => {
    pending.get(number)?.(answer);
    pending.delete(number);
  };

  const receive = ({ appended, others, failure: now }: Answers): void => {
    failure = now;
    for (let index = 0; index < appended.length; index += 3) {
      const [number = 0, revision = 0, position = 0] = appended.slice(index, index + 3);
      settle(number, { outcome: 'appended', revision, position });
    }
    for (const { number, answer } of others) settle(number, answer);
  };

  const lose = (message: string): void => {
    failure = message;
    for (const resolve of pending.values()) resolve({ outcome: 'unavailable', message });
    pending.clear();
    removed?.({ outcome: 'unavailable', message });
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
          if (opened && !closed) setTimeout(restart, RESTART_PAUSE).unref();
          resolve();
        });
      });
      worker.on('error', (error) => {
        cause = error instanceof Error ? error.message : String(error);
      });
      worker.on('message', (message: FromLogThread) => {
        if (message === 'ready') {
          failure = null;
          ready();
        } else if ('refused' in message) {
          cause = message.refused;
          refused(new Error(cause));
        } else if ('removal' in message) removed?.(message.removal);
        else receive(message);
      });
      running = { worker, ended };
    });

  const restart = (): void => {
    // If it does not succeed, what is pending fails with the reason, and the next try follows.
    if (!running && !closed) start().catch(() => undefined);
  };

  const flush = (): void => {
    if (queue.length === 0) return;
    restart();
    running?.worker.postMessage({ appends: queue } satisfies ToLogThread);
    queue = [];
  };

  await start();
  opened = true;

  return {
    append: (request) =>
      new Promise((resolve) => {
        if (closed) {
          resolve({ outcome: 'unavailable', message: `The log ${data.name} is closed.` });
          return;
        }
        const number = ++last;
        pending.set(number, resolve);
        const waiting = queue.push({ ...request, number });
        if (waiting === BATCH) flush();
        else if (waiting === 1) setImmediate(flush);
      }),

    remove: (step) =>
      new Promise((resolve) => {
        restart();
        if (closed || !running) {
          resolve({ outcome: 'unavailable', message: `The log ${data.name} is closed.` });
          return;
        }
        removed = resolve;
        running.worker.postMessage({ remove: step } satisfies ToLogThread);
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
