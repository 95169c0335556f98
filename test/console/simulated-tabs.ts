import type { TabChannel, TabMessage } from '../../console/live/channel.ts';
import {
  leadByLock,
  leadByMessages,
  type ScheduleCallback,
  type Leadership,
  type Locks,
} from '../../console/live/leadership.ts';
import type { StreamMessage } from '../../console/live/event-stream-parser.ts';
import { shareStream, type StreamMemory, type StreamCallbacks } from '../../console/live/shared-stream.ts';

/** A stream that a tab has opened. The test calls its callbacks in place of the service. */
export interface OpenStream extends StreamCallbacks {
  tab: string;
  since: string | null;
  /** ends the session */
  signOut: () => void;
}

export interface Tab {
  name: string;
  memory: StreamMemory;
  /** the notifications of the tab's screens: `open`, `open anew`, `end`, and for a message its `data` */
  events: string[];
  /** stops all sending and receiving, like a tab that is hidden or closed */
  leave: () => void;
  /** starts or resumes following the stream, like a tab that is shown */
  join: () => void;
  /** stops the tab's timers and queues its messages until `thaw` is called */
  freeze: () => void;
  thaw: () => void;
}

/** A browser whose tabs share a stream. Its clock advances only when the test calls `pass`. */
export interface TabBrowser {
  open: (name: string) => Tab;
  /** the open streams, in the order of opening */
  streams: OpenStream[];
  /** all messages that tabs have sent to each other */
  sent: TabMessage[];
  /** advances the clock, and runs all timers that are due */
  pass: (ms: number) => Promise<void>;
}

/** Waits until pending promises are settled and messages delivered. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Simulates a single Web Lock according to the specification, with a queue, `signal` and `steal`. */
const createLocks = (): Locks => {
  interface Request {
    start: () => void;
    lose: () => void;
  }
  let current: Request | null = null;
  const queue: Request[] = [];
  const next = (): void => {
    if (current) return;
    current = queue.shift() ?? null;
    current?.start();
  };
  return {
    request: (_, { steal = false, signal }, callback) =>
      new Promise((resolve, reject) => {
        const fail = (): void => {
          reject(new DOMException('The request was aborted.', 'AbortError'));
        };
        const own: Request = {
          start: () => {
            signal?.removeEventListener('abort', withdraw);
            void callback().then(() => {
              if (current !== own) return;
              current = null;
              resolve();
              next();
            }, reject);
          },
          lose: fail,
        };
        function withdraw(): void {
          queue.splice(queue.indexOf(own), 1);
          fail();
        }
        if (steal) {
          current?.lose();
          current = own;
          own.start();
          return;
        }
        signal?.addEventListener('abort', withdraw);
        queue.push(own);
        next();
      }),
  };
};

export const createTabBrowser = ({ hasLocks }: { hasLocks: boolean }): TabBrowser => {
  let time = 1_000_000;
  let timers: { at: number; callback: () => void }[] = [];
  let marked = Number.NEGATIVE_INFINITY;
  const locks = createLocks();
  const channels = new Map<object, (message: TabMessage) => void>();
  const streams: OpenStream[] = [];
  const sent: TabMessage[] = [];
  const now = (): number => time;

  const open = (name: string): Tab => {
    /** timers and messages that a frozen tab will process when it is thawed; null if it is not frozen */
    let waiting: (() => void)[] | null = null;
    const run = (work: () => void): void => {
      if (waiting) waiting.push(work);
      else work();
    };
    const after: ScheduleCallback = (ms, callback) => {
      let isOn = true;
      const timer = {
        at: time + ms,
        callback: () => {
          run(() => {
            if (isOn) callback();
          });
        },
      };
      timers.push(timer);
      return () => {
        isOn = false;
        timers = timers.filter((one) => one !== timer);
      };
    };
    const openChannel = (): TabChannel => {
      const own = {};
      const listeners = new Set<(message: TabMessage) => void>();
      channels.set(own, (message) => {
        run(() => {
          if (channels.has(own)) for (const listener of listeners) listener(message);
        });
      });
      return {
        post: (message) => {
          sent.push(message);
          for (const [other, receive] of channels) {
            if (other !== own) setImmediate(receive, structuredClone(message));
          }
        },
        listen: (callback) => {
          listeners.add(callback);
          return () => void listeners.delete(callback);
        },
        close: () => void channels.delete(own),
      };
    };
    const memory: StreamMemory = { position: null, last: time };
    const events: string[] = [];
    let end = (): void => undefined;
    const join = (): void => {
      const channel = openChannel();
      const chance = (): number => (name.charCodeAt(0) % 16) / 16;
      const mark = {
        set: () => void (marked = time),
        remove: () => void (marked = Number.NEGATIVE_INFINITY),
        isFresh: () => time - marked < 15_000,
      };
      const lead: Leadership = hasLocks
        ? leadByLock(locks, 'live')
        : leadByMessages({ channel, mark, after, now, chance, tab: name });
      const follow = (since: string | null, leaving: AbortSignal, callbacks: StreamCallbacks): Promise<void> =>
        new Promise((resolve) => {
          const over = (): void => {
            if (streams.includes(stream)) streams.splice(streams.indexOf(stream), 1);
            resolve();
          };
          const stream: OpenStream = { ...callbacks, tab: name, since, signOut: over };
          streams.push(stream);
          leaving.addEventListener('abort', over);
        });
      end = shareStream({ channel, lead, follow, after, now, chance }, memory, {
        onMessages: (messages) => void events.push(...messages.map(({ data }) => data)),
        onOpen: (anew) => void events.push(anew ? 'open anew' : 'open'),
        onEnd: () => void events.push('end'),
      });
    };
    join();
    return {
      name,
      memory,
      events,
      join,
      leave: () => {
        end();
      },
      freeze: () => {
        waiting = [];
      },
      thaw: () => {
        const late = waiting ?? [];
        waiting = null;
        for (const work of late) work();
      },
    };
  };

  return {
    open,
    streams,
    sent,
    pass: async (ms) => {
      const end = time + ms;
      for (;;) {
        for (let iteration = 0; iteration < 10; iteration++) await settle();
        const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        time = Math.max(time, next.at);
        next.callback();
      }
      time = end;
    },
  };
};

/** Returns a message of the stream. */
export const message = (id: string, data = id): StreamMessage => ({ event: 'change', data, id });
