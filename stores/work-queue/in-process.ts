import { QueueFull, queueOf, type ConsumeOptions, type HandleRun, type QueuedRun, type WorkQueue } from './port.ts';

export interface InProcessQueueOptions {
  /** maximum number of waiting runs per queue, including those that will be retried */
  limit?: number;
  /** milliseconds before each retry; one entry per retry */
  retries?: readonly number[];
  /** maximum number of parked runs stored per queue; the oldest ones are dropped */
  parkedLimit?: number;
  /** returns milliseconds since 1970 */
  now?: () => number;
  /** calls `callback` after a time, unless the returned function is called first; replaced in tests */
  after?: (milliseconds: number, callback: () => void) => () => void;
}

interface Message {
  not_after: number;
  /**
   * the run as JSON, so that nobody can modify a waiting run, and workers receive the same data as from other adapters
   */
  json: string;
  /** number of deliveries so far */
  deliveries: number;
}

interface Consumer {
  handle: HandleRun;
  concurrency: number;
  inFlight: number;
  signal: AbortSignal;
  /** called when the signal has aborted and no run is in flight */
  done: () => void;
}

interface RegionQueue {
  /** waiting messages; undefined: the message was delivered */
  waiting: (Message | undefined)[];
  /**
   * number of messages at the beginning of `waiting` that were delivered; they are removed from the array in batches
   */
  taken: number;
  retrying: Set<() => void>;
  parked: QueuedRun[];
  consumers: Consumer[];
  inFlight: number;
}

const systemAfter = (milliseconds: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, milliseconds);
  return () => {
    clearTimeout(timer);
  };
};

/** Opens a queue in the memory of this process. Its runs are lost when the process ends. */
export const openInProcessQueue = ({
  limit = 20_000,
  retries = [1_000, 5_000, 15_000],
  parkedLimit = 1_000,
  now = Date.now,
  after = systemAfter,
}: InProcessQueueOptions = {}): WorkQueue => {
  const queues = new Map<string, RegionQueue>();
  let closed = false;

  const named = (name: string): RegionQueue => {
    const known = queues.get(name);
    if (known) return known;
    const queue: RegionQueue = {
      waiting: [],
      taken: 0,
      retrying: new Set(),
      parked: [],
      consumers: [],
      inFlight: 0,
    };
    queues.set(name, queue);
    return queue;
  };

  const waitingIn = (queue: RegionQueue): number => queue.waiting.length - queue.taken + queue.retrying.size;

  const takeFrom = (queue: RegionQueue): Message | undefined => {
    const message = queue.waiting[queue.taken];
    if (!message) return undefined;
    queue.waiting[queue.taken] = undefined;
    queue.taken += 1;
    // Remove delivered messages in batches, because each removal shifts all other elements of the array.
    if (queue.taken > 1_000 && queue.taken * 2 > queue.waiting.length) {
      queue.waiting.splice(0, queue.taken);
      queue.taken = 0;
    }
    return message;
  };

  /** Drops expired runs. A consumer would drop them too, but until then they would count towards the limit. */
  const dropLate = (queue: RegionQueue): void => {
    const time = now();
    queue.waiting = queue.waiting.filter((message) => message && message.not_after >= time);
    queue.taken = 0;
  };

  const retryOrPark = (queue: RegionQueue, message: Message): void => {
    const wait = retries[message.deliveries - 1];
    if (wait === undefined) {
      queue.parked.push(JSON.parse(message.json) as QueuedRun);
      if (queue.parked.length > parkedLimit) queue.parked.shift();
      return;
    }
    if (closed) return;
    const cancel = after(wait, () => {
      queue.retrying.delete(cancel);
      queue.waiting.push(message);
      pump(queue);
    });
    queue.retrying.add(cancel);
  };

  const deliver = async (queue: RegionQueue, consumer: Consumer, message: Message): Promise<void> => {
    message.deliveries += 1;
    consumer.inFlight += 1;
    queue.inFlight += 1;
    try {
      await consumer.handle(JSON.parse(message.json) as QueuedRun, { mayBeRepeated: () => message.deliveries > 1 });
    } catch {
      retryOrPark(queue, message);
    } finally {
      consumer.inFlight -= 1;
      queue.inFlight -= 1;
    }
    if (consumer.signal.aborted && consumer.inFlight === 0) consumer.done();
    pump(queue);
  };

  const pump = (queue: RegionQueue): void => {
    for (;;) {
      // Select the consumer with the fewest runs in flight, so that the workers of a region share the load.
      const free = queue.consumers
        .filter((consumer) => consumer.inFlight < consumer.concurrency && !consumer.signal.aborted)
        .sort((one, other) => one.inFlight - other.inFlight)[0];
      const message = free && takeFrom(queue);
      if (!message) return;
      void deliver(queue, free, message);
    }
  };

  const consume = (name: string, handle: HandleRun, { concurrency, signal }: ConsumeOptions): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const queue = named(name);
      const consumer: Consumer = { handle, concurrency, inFlight: 0, signal, done: resolve };
      queue.consumers.push(consumer);
      signal.addEventListener(
        'abort',
        () => {
          queue.consumers.splice(queue.consumers.indexOf(consumer), 1);
          if (consumer.inFlight === 0) resolve();
        },
        { once: true },
      );
      pump(queue);
    });

  return {
    isDurable: false,
    offer: async (run) => {
      const queue = named(queueOf(run));
      if (waitingIn(queue) >= limit) dropLate(queue);
      if (waitingIn(queue) >= limit) throw new QueueFull(queueOf(run), limit);
      queue.waiting.push({ json: JSON.stringify(run), not_after: run.not_after, deliveries: 0 });
      pump(queue);
    },
    consume,
    depths: async () =>
      [...queues].map(([name, queue]) => ({
        queue: name,
        waiting: waitingIn(queue),
        in_flight: queue.inFlight,
        parked: queue.parked.length,
      })),
    parked: async (name) => [...(queues.get(name)?.parked ?? [])],
    close: async () => {
      closed = true;
      for (const queue of queues.values()) {
        for (const cancel of queue.retrying) cancel();
        queue.retrying.clear();
      }
    },
  };
};
