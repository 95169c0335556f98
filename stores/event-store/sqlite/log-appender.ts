import type { Worker } from 'node:worker_threads';
import { startThread } from '../../thread.ts';
import { StoreUnavailable, type StoreHealth } from '../port.ts';
import type { AppendResults, FromLogThread, LogThreadData, ToLogThread } from './messages.ts';
import type { RemovalStep } from './removal.ts';
import type { AppendResult, AppendRequest, RemovalResult } from './writer.ts';

/**
 * Appends to a log, either through a thread that writes only this log, or through a connection in the calling thread.
 */
export interface LogAppender {
  append: (request: AppendRequest) => Promise<AppendResult>;
  /** Runs one step of retention. Do not request the next step before this one is done. */
  remove: (step: RemovalStep) => Promise<RemovalResult>;
  health: () => StoreHealth;
  close: () => Promise<void>;
}

/**
 * Number of waiting appends at which they are sent to the log thread immediately, instead of at the end of the current
 * iteration of the event loop. So the log thread inserts these appends while the calling thread prepares the next ones.
 */
const BATCH = 8;

/** Milliseconds before a thread that ended unexpectedly is restarted, unless an append arrives earlier. */
const RESTART_PAUSE = 1_000;

interface RunningThread {
  worker: Worker;
  ended: Promise<void>;
}

/**
 * Starts the thread that writes a log, and returns an appender that communicates with it. All appends of one iteration
 * of the event loop share a message to the thread, and all results of one commit share a message back. If the thread
 * ends unexpectedly, its pending appends fail with an unknown outcome, and another thread is started.
 *
 * @throws Error the thread can't open the log; the message is that of the thread
 */
export const startLogThread = async (data: LogThreadData): Promise<LogAppender> => {
  const pending = new Map<number, (response: AppendResult) => void>();
  let queue: (AppendRequest & { number: number })[] = [];
  let removed: ((response: RemovalResult) => void) | null = null;
  let last = 0;
  let failure: string | null = null;
  let opened = false;
  let closed = false;

  const settle = (number: number, response: AppendResult): void => {
    pending.get(number)?.(response);
    pending.delete(number);
  };

  const receive = ({ appended, others, failure: now }: AppendResults): void => {
    failure = now;
    for (let index = 0; index < appended.length; index += 3) {
      const [number = 0, revision = 0, position = 0] = appended.slice(index, index + 3);
      settle(number, { outcome: 'appended', revision, position });
    }
    for (const { number, answer: response } of others) settle(number, response);
  };

  const lose = (message: string): void => {
    failure = message;
    for (const resolve of pending.values()) resolve({ outcome: 'unavailable', message });
    pending.clear();
    removed?.({ outcome: 'unavailable', message });
    queue = [];
  };

  let running: RunningThread | undefined;
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
    // If the thread can't be started, pending appends fail with the reason, and another attempt to start it follows.
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
