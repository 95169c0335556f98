import type { Channel, Claim } from './channel.ts';

/**
 * Waits until this tab leads, and does some work for as long as it does. At most one tab leads, except for the moment
 * between a takeover and its notice.
 *
 * @param work ends soon after its signal: the leadership has been taken over, or `leaving` says so
 * @returns settles when the work has ended, or when `leaving` says so
 */
export type Leadership = (
  work: (ending: AbortSignal) => Promise<void>,
  options: {
    /** whether to take the lock from the present leader */
    takeOver: boolean;
    leaving: AbortSignal;
  },
) => Promise<void>;

/** Calls back later. @returns cancels it */
export type After = (ms: number, callback: () => void) => () => void;

/** The part of the browser's `LockManager` that is used. */
export interface Locks {
  request: (
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    callback: () => Promise<void>,
  ) => Promise<void>;
}

/** A signal that another one, or a call, aborts. */
const endingWith = (leaving: AbortSignal): { ending: AbortSignal; end: () => void; release: () => void } => {
  const controller = new AbortController();
  const end = (): void => {
    controller.abort();
  };
  if (leaving.aborted) end();
  leaving.addEventListener('abort', end);
  return {
    ending: controller.signal,
    end,
    release: () => {
      leaving.removeEventListener('abort', end);
    },
  };
};

/** Leads while it holds a Web Lock. When a tab ends in whatever way, the browser gives the lock to the next. */
export const leadByLock =
  (locks: Locks, name: string): Leadership =>
  async (work, { takeOver, leaving }) => {
    if (leaving.aborted) return;
    const { ending, end, release } = endingWith(leaving);
    let working = Promise.resolve();
    try {
      await locks.request(name, takeOver ? { steal: true } : { signal: leaving }, () => (working = work(ending)));
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    } finally {
      end();
      release();
    }
    await working;
  };

/** A mark that the leading tab keeps up to date, and that a new tab can read at once. */
export interface Mark {
  set: () => void;
  remove: () => void;
  /** whether it was set a few seconds ago */
  isFresh: () => boolean;
}

export interface MessagePorts {
  channel: Channel;
  mark: Mark;
  after: After;
  /** milliseconds since 1970 */
  now: () => number;
  /** a random number from 0 to 1 */
  chance: () => number;
  /** a random name of the tab */
  tab: string;
}

const MARK_MS = 5_000;

/** So long after the leader has left, at most, the first of the others claims the leadership, milliseconds. */
const SPREAD_MS = 200;

const isLater = (one: Claim, other: Claim): boolean => (one.at === other.at ? one.tab > other.tab : one.at > other.at);

/**
 * Leads by claims that tabs announce to each other, where browsers have no locks: over plain http from another machine.
 * A crashed tab sends nothing: callers take over when the leader is silent.
 */
export const leadByMessages = ({ channel, mark, after, now, chance, tab }: MessagePorts): Leadership => {
  let latest: Claim = { at: 0, tab: '' };
  const note = ({ at, tab }: Claim): void => {
    if (isLater({ at, tab }, latest)) latest = { at, tab };
  };

  /** Waits until no tab leads. */
  const vacant = (leaving: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      let cancel = (): void => undefined;
      const over = (): void => {
        cancel();
        stop();
        leaving.removeEventListener('abort', over);
        resolve();
      };
      const stop = channel.listen((message) => {
        if (message.kind !== 'left' && message.kind !== 'claim') return;
        cancel();
        if (message.kind === 'left') cancel = after(chance() * SPREAD_MS, over);
        else note(message);
      });
      leaving.addEventListener('abort', over);
      if (leaving.aborted || !mark.isFresh()) over();
    });

  return async (work, { takeOver, leaving }) => {
    if (!takeOver) await vacant(leaving);
    if (leaving.aborted) return;
    const own: Claim = { at: Math.max(now(), latest.at + 1), tab };
    const claim = (): void => {
      channel.post({ kind: 'claim', ...own });
    };
    const isReplaced = (): boolean => isLater(latest, own);
    const { ending, end, release } = endingWith(leaving);
    const stop = channel.listen((message) => {
      if (message.kind !== 'claim' || isReplaced()) return;
      note(message);
      if (isReplaced()) end();
      else claim();
    });
    let cancel = (): void => undefined;
    const keep = (): void => {
      mark.set();
      cancel = after(MARK_MS, keep);
    };
    keep();
    claim();
    try {
      await work(ending);
    } finally {
      cancel();
      stop();
      release();
      if (!isReplaced()) {
        mark.remove();
        channel.post({ kind: 'left' });
      }
    }
  };
};
