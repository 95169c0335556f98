import { signal, type ReadonlySignal } from '@preact/signals';
import { CONSOLE_PATH } from '../urls.ts';
import { openTabChannel } from './channel.ts';
import { followStream } from './follow-stream.ts';
import { leadByLock, leadByMessages, type ScheduleCallback } from './leadership.ts';
import { openLeaderMark } from './leader-mark.ts';
import { streamEventsOf, type StreamEvent } from './stream-events.ts';
import { shareStream, type StreamMemory } from './shared-stream.ts';

/*
 * The event stream of this tab, from which all displayed data is updated. The stream reconnects automatically and
 * receives the events that it missed. A hidden tab closes its stream, and receives the missed events when it is shown
 * again. So background tabs cost nothing, and the leader is never a tab that the browser throttles or freezes.
 */

/**
 * Set after the stream has been interrupted for so long that the user should know; null: changes arrive normally.
 * `last`: time of the newest change received.
 */
export type Staleness = { last: Date } | null;

const state = signal<Staleness>(null);

/** Whether the displayed data may be stale. */
export const staleness: ReadonlySignal<Staleness> = state;

/**
 * Interruptions shorter than this are not shown, in milliseconds. They occur when a token is replaced or the service
 * restarts.
 */
const PATIENCE_MS = 5_000;

const listeners = new Set<(news: StreamEvent) => void>();

/** Subscribes to the stream. @returns a function that unsubscribes */
export const onStreamEvent = (listener: (news: StreamEvent) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const notifyListeners = (news: StreamEvent): void => {
  for (const listener of listeners) listener(news);
};

let settle: () => void = () => undefined;
let settled: Promise<void> = Promise.resolve();

/**
 * Waits until the stream is open, so that no change is missed while data is being loaded. Also resolves if the stream
 * can't be opened. In this case, screens work without the stream, and reload everything when the stream is open.
 */
export const streamOpened = (): Promise<void> => settled;

const after: ScheduleCallback = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => {
    clearTimeout(timer);
  };
};

const TAB = Math.random().toString(36).slice(2);

/**
 * Returns the channel, lock and storage through which the tabs of a user share the stream. The number at the end of the
 * name is the version of the message format, so that tabs loaded from incompatible releases do not share a stream.
 */
const sharingPortsOf = (userId: string): Parameters<typeof shareStream>[0] => {
  const name = `uptrail ${CONSOLE_PATH} live ${userId} 1`;
  const channel = openTabChannel(name);
  const ports = { channel, after, now: Date.now, chance: Math.random };
  const lead =
    'locks' in navigator
      ? leadByLock(navigator.locks, name)
      : leadByMessages({ ...ports, mark: openLeaderMark(name), tab: TAB });
  return { ...ports, lead, follow: followStream };
};

/**
 * Follows the changes that the signed-in user is allowed to see.
 *
 * @param isLate whether data may have been loaded while the stream was not open; if so, it is loaded again
 * @returns a function that stops following
 */
export const startLive = (userId: string, isLate = false): (() => void) => {
  settled = new Promise((resolve) => {
    settle = resolve;
  });
  const memory: StreamMemory = { position: null, last: Date.now() };
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
    leave = shareStream(sharingPortsOf(userId), memory, {
      onMessages: (messages) => {
        streamEventsOf(messages).forEach(notifyListeners);
      },
      onOpen: (anew) => {
        settle();
        notifyListeners(anew && isLate ? { kind: 'reset', resources: null } : { kind: 'open' });
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
  // The browser may keep a closed page in its back-forward cache and later show it unchanged. So stop the stream when
  // the page is closed, and resume it when the page is shown again.
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
