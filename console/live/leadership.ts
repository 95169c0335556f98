import type { TabChannel, LeadershipClaim } from './channel.ts';

/**
 * Waits until this tab is leader, and runs `work` for as long as the tab is leader. There is at most one leader, except
 * between a takeover and the moment when the previous leader learns of the takeover.
 *
 * @param work must end soon after `ending` is aborted, which happens when another tab takes over or `leaving` is
 * aborted
 * @returns a promise that settles when `work` has ended, or when `leaving` is aborted
 */
export type Leadership = (
  work: (ending: AbortSignal) => Promise<void>,
  options: {
    /** whether to take the lock from the current leader */
    takeOver: boolean;
    leaving: AbortSignal;
  },
) => Promise<void>;

/** Schedules a callback. @returns a function that cancels it */
export type ScheduleCallback = (ms: number, callback: () => void) => () => void;

/** The part of the browser's `LockManager` that the console uses. */
export interface Locks {
  request: (
    name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    callback: () => Promise<void>,
  ) => Promise<void>;
}

/** Returns a signal that is aborted together with `leaving`, or by calling `end`. */
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

/**
 * Leadership by a Web Lock: the tab that holds the lock is leader. When that tab is closed or crashes, the browser
 * grants the lock to the next waiting tab.
 */
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

/** A timestamp that the leader updates, and that a new tab can read immediately. */
export interface LeaderMark {
  set: () => void;
  remove: () => void;
  /** whether the mark was updated within the last few seconds */
  isFresh: () => boolean;
}

export interface MessagePorts {
  channel: TabChannel;
  mark: LeaderMark;
  after: ScheduleCallback;
  /** milliseconds since 1970 */
  now: () => number;
  /** a random number from 0 to 1 */
  chance: () => number;
  /** a random id of the tab */
  tab: string;
}

const MARK_MS = 5_000;

/** Maximum random delay before a tab claims leadership after the leader has left, in milliseconds. */
const SPREAD_MS = 200;

const isLater = (one: LeadershipClaim, other: LeadershipClaim): boolean =>
  one.at === other.at ? one.tab > other.tab : one.at > other.at;

/**
 * Leadership by claims that tabs announce to each other. Browsers provide no locks if the console is opened over plain
 * http from another machine. A crashed tab can't announce anything, so callers take over when the leader is silent.
 */
export const leadByMessages = ({ channel, mark, after, now, chance, tab }: MessagePorts): Leadership => {
  let latest: LeadershipClaim = { at: 0, tab: '' };
  const note = ({ at, tab }: LeadershipClaim): void => {
    if (isLater({ at, tab }, latest)) latest = { at, tab };
  };

  /** Waits until there is no leader. */
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
    const own: LeadershipClaim = { at: Math.max(now(), latest.at + 1), tab };
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
