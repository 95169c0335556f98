import { signal, type ReadonlySignal } from '@preact/signals';
import { ROOT } from '../place.ts';
import { openChannel } from './channel.ts';
import { follow } from './follow.ts';
import { leadByLock, leadByMessages, type After } from './leadership.ts';
import { markOf } from './mark.ts';
import { newsOf, type News } from './news.ts';
import { shareStream, type Memory } from './shared-stream.ts';

/*
 * The stream of changes of this tab, which everything that is shown listens to. It comes back by itself, and gets what
 * it missed. A hidden tab has none: it catches up when it is shown, so tabs in the background cost nothing, and none
 * that the browser slows down or freezes leads the others.
 */

/** Since when changes have been missed long enough to say so; null: they arrive. `last`: when the last one did. */
export type Staleness = { last: Date } | null;

const state = signal<Staleness>(null);

/** Whether what is shown may be old. */
export const staleness: ReadonlySignal<Staleness> = state;

/** An outage that is shorter goes unmentioned, milliseconds: a token was replaced, the service has restarted. */
const PATIENCE_MS = 5_000;

const listeners = new Set<(news: News) => void>();

/** Listens to the stream. @returns ends that */
export const hearNews = (listener: (news: News) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const tell = (news: News): void => {
  for (const listener of listeners) listener(news);
};

let settle: () => void = () => undefined;
let settled: Promise<void> = Promise.resolve();

/**
 * Waits until the stream names every change, so that nothing is missed which happens while something is loaded. Where
 * it can't be opened, screens work without it, and load everything again once it is open.
 */
export const streamOpened = (): Promise<void> => settled;

const after: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => {
    clearTimeout(timer);
  };
};

const TAB = Math.random().toString(36).slice(2);

/**
 * What the tabs of a user share the stream by. The number at the end of its name is that of the messages' format: tabs
 * that a browser loaded from different releases don't share.
 */
const portsOf = (userId: string): Parameters<typeof shareStream>[0] => {
  const name = `uptrail ${ROOT} live ${userId} 1`;
  const channel = openChannel(name);
  const ports = { channel, after, now: Date.now, chance: Math.random };
  const lead =
    'locks' in navigator
      ? leadByLock(navigator.locks, name)
      : leadByMessages({ ...ports, mark: markOf(name), tab: TAB });
  return { ...ports, lead, follow };
};

/** Follows the changes that the signed-in user may see. @returns ends that */
export const startLive = (userId: string): (() => void) => {
  settled = new Promise((resolve) => {
    settle = resolve;
  });
  const memory: Memory = { position: null, last: Date.now() };
  /** whether something may have been loaded while the stream was not open */
  let isLate = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let leave: (() => void) | null = null;
  const bePatient = (): void => {
    patience ??= setTimeout(() => {
      state.value = { last: new Date(memory.last) };
    }, PATIENCE_MS);
  };
  const beFresh = (): void => {
    clearTimeout(patience);
    patience = undefined;
    state.value = null;
  };
  const show = (): void => {
    if (leave) return;
    if (isLate) bePatient();
    leave = shareStream(portsOf(userId), memory, {
      onMessages: (messages) => {
        newsOf(messages).forEach(tell);
      },
      onOpen: (anew) => {
        settle();
        tell(anew && isLate ? { kind: 'reset', resources: null } : { kind: 'open' });
        beFresh();
      },
      onEnd: () => {
        isLate = true;
        settle();
        bePatient();
      },
    });
  };
  const hide = (): void => {
    leave?.();
    leave = null;
    isLate = true;
    settle();
    beFresh();
  };
  const look = (): void => {
    if (document.visibilityState === 'visible') show();
    else hide();
  };
  document.addEventListener('visibilitychange', look);
  // A page that is left may come back as it was, out of the browser's cache.
  addEventListener('pagehide', hide);
  addEventListener('pageshow', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', look);
    hide();
  };
};
