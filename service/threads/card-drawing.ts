import type { Worker } from 'node:worker_threads';
import type { Card } from '../../messages/cards/card.ts';
import { startThread } from '../../stores/thread.ts';

export interface CardToDraw {
  number: number;
  card: Card;
}

export interface CardDrawn {
  number: number;
  png: Uint8Array;
}

/**
 * Draws a card as PNG.
 *
 * @throws Error the drawing failed or took too long
 */
export type DrawCard = (card: Card) => Promise<Uint8Array>;

/**
 * Limits of the thread: memory in MiB, and time for a card in milliseconds. The module and its fonts need 20 MiB, and a
 * card takes a tenth of a second.
 */
const MEMORY_MIB = 128;
const LONGEST_MS = 15_000;
/** Idle time after which the thread ends and frees its memory, in milliseconds. */
const IDLE_MS = 30_000;

interface Waiting {
  resolve: (png: Uint8Array) => void;
  reject: (error: Error) => void;
}

/** A running thread. */
interface Running {
  worker: Worker;
  waiting: Map<number, Waiting>;
  idle: NodeJS.Timeout | null;
}

/**
 * Draws cards in a thread. The thread starts with the first card, and ends when it is idle. If a card takes too long,
 * the thread ends, and all waiting cards fail.
 */
export const createCardDrawing = ({ idleMs = IDLE_MS, longestMs = LONGEST_MS } = {}) => {
  let running: Running | null = null;
  let numbers = 0;

  const end = (thread: Running, error: Error): void => {
    if (running === thread) running = null;
    if (thread.idle) clearTimeout(thread.idle);
    for (const { reject } of thread.waiting.values()) reject(error);
    thread.waiting.clear();
    void thread.worker.terminate();
  };

  const start = (): Running => {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MIB };
    const worker = startThread('./card-thread', import.meta.url, { name: 'cards', resourceLimits });
    const thread: Running = { worker, waiting: new Map(), idle: null };
    worker.on('message', ({ number, png }: CardDrawn) => {
      const one = thread.waiting.get(number);
      thread.waiting.delete(number);
      one?.resolve(png);
      if (thread.waiting.size === 0) rest(thread);
    });
    worker.on('error', (error: Error) => {
      end(thread, error);
    });
    worker.on('exit', () => {
      end(thread, new Error('The thread that draws cards has ended.'));
    });
    return thread;
  };

  /** Marks a thread as idle. Neither an idle thread nor its timer keeps the process running. */
  const rest = (thread: Running): void => {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      end(thread, new Error('The thread that draws cards was idle.'));
    }, idleMs).unref();
  };

  const draw: DrawCard = async (card) => {
    const thread = (running ??= start());
    if (thread.idle) clearTimeout(thread.idle);
    thread.idle = null;
    thread.worker.ref();
    const number = ++numbers;
    const timeout = setTimeout(() => {
      end(thread, new Error('A card took too long to draw.'));
    }, longestMs);
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        thread.waiting.set(number, { resolve, reject });
        const request: CardToDraw = { number, card };
        thread.worker.postMessage(request);
      });
    } finally {
      clearTimeout(timeout);
    }
  };

  return { draw, isRunning: (): boolean => running !== null };
};
