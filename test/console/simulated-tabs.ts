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

/** A stream that a tab has opened, driven by the test. */
export interface OpenStream extends StreamCallbacks {
  tab: string;
  since: string | null;
  /** the session has ended */
  signOut: () => void;
}

export interface Tab {
  name: string;
  memory: StreamMemory;
  /** what its screens were notified of: the `data` of messages, and `open`, `open anew`, `end` */
  events: string[];
  /** sends and receives nothing more, as when hidden or closed */
  leave: () => void;
  /** starts following the stream (again) */
  join: () => void;
  /** no timers or messages reach it until it is thawed; messages are queued */
  freeze: () => void;
  thaw: () => void;
}

/** A browser with tabs that share a stream, on a clock that only the test advances. */
export interface TabBrowser {
  open: (name: string) => Tab;
  /** the open streams, in the order of opening */
  streams: OpenStream[];
  /** messages between tabs */
  sent: TabMessage[];
  /** advances the clock, running everything that is due */
  pass: (ms: number) => Promise<void>;
}

/** Lets pending promises and messages arrive. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Web Locks for one name, as in the specification: a queue, `signal` while waiting, and `steal`. */
const createLocks = (): Locks => {
  interface Request {
    start: () => void;
    lose: () => void;
  }
  let held: Request | null = null;
  const queue: Request[] = [];
  const next = (): void => {
    if (held) return;
    held = queue.shift() ?? null;
    held?.start();
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
              if (held !== own) return;
              held = null;
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
          held?.lose();
          held = own;
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
    /** the queue of a frozen tab; null: it is not frozen */
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
        for (let turn = 0; turn < 10; turn++) await settle();
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

/** A message of the stream. */
export const message = (id: string, data = id): StreamMessage => ({ event: 'change', data, id });
