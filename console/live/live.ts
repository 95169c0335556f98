import { signal, type ReadonlySignal } from '@preact/signals';
import { openEvents } from '../api/events.ts';
import { Failure } from '../api/failure.ts';
import type { Schemas } from '../api/openapi.d.ts';
import { accessToken } from '../session/session.ts';
import { messageReader, type Message } from './messages.ts';
import { pauseBefore } from './pause.ts';

/*
 * The stream of changes of this tab: one connection, which everything that is shown listens to. It comes back by itself,
 * and gets what it missed.
 */

export type Change = Schemas['EventChange'];

/** What there is to hear of the stream. */
export type News =
  | { kind: 'changes'; changes: readonly Change[] }
  /** load these again; null: everything */
  | { kind: 'reset'; resources: readonly string[] | null }
  /** the stream is open again, so the service answers */
  | { kind: 'open' };

/** The service says something every 15 seconds (docs/events.md), so a stream that is silent for so long is dead. */
const SILENCE_MS = 40_000;

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

const take = ({ event, data }: Message): void => {
  if (event === 'change') tell({ kind: 'changes', changes: (JSON.parse(data) as Schemas['EventChanges']).changes });
  if (event === 'reset')
    tell({ kind: 'reset', resources: (JSON.parse(data) as { resources: string[] | null }).resources });
};

/** How a connection ended. */
interface Ended {
  failure: Failure | null;
  /** of the last event that was received; null: none was */
  id: string | null;
  /** what the service asks to wait, milliseconds */
  retry: number | null;
  /** whether the stream had begun */
  began: boolean;
}

/** One connection, until it ends. */
const connection = async (
  credential: string | null,
  since: string | null,
  leaving: AbortSignal,
  { onOpen, onLife }: { onOpen: () => void; onLife: () => void },
): Promise<Ended> => {
  const dead = new AbortController();
  const end = (): void => {
    dead.abort();
  };
  if (leaving.aborted) end();
  leaving.addEventListener('abort', end);
  let watch = setTimeout(end, SILENCE_MS);
  const ended: Ended = { failure: null, id: since, retry: null, began: false };
  try {
    const text = await openEvents(credential, since, dead.signal);
    const reader = messageReader();
    for (;;) {
      const { done, value } = await text.read();
      if (done) return ended;
      clearTimeout(watch);
      watch = setTimeout(end, SILENCE_MS);
      for (const message of reader.read(value)) {
        take(message);
        ended.id = message.id || ended.id;
        if (message.event === 'ready' && !ended.began) {
          ended.began = true;
          onOpen();
        }
      }
      ended.retry = reader.retry();
      onLife();
    }
  } catch (error) {
    return { ...ended, failure: error instanceof Failure ? error : null };
  } finally {
    clearTimeout(watch);
    leaving.removeEventListener('abort', end);
  }
};

/** Waits, less long where the network comes back meanwhile. */
const pause = (ms: number, leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    function over(): void {
      clearTimeout(timer);
      removeEventListener('online', over);
      leaving.removeEventListener('abort', over);
      resolve();
    }
    addEventListener('online', over);
    leaving.addEventListener('abort', over);
  });

/** Callbacks for the state of the stream. */
interface Hearing {
  /** it is open; `anew`: it is unknown what has changed before */
  onOpen: (anew: boolean) => void;
  /** the service said something */
  onLife: () => void;
  /** it has ended, or could not be opened */
  onEnd: () => void;
}

const follow = async (leaving: AbortSignal, { onOpen, onLife, onEnd }: Hearing): Promise<void> => {
  let since: string | null = null;
  let refused: string | null = null;
  let failures = 0;
  for (;;) {
    const credential: string | null | undefined = await accessToken(refused).catch(() => undefined);
    if (credential === null) return;
    let wait = 0;
    let retry: number | null = null;
    if (credential !== undefined) {
      const anew = since === null;
      const ended = await connection(credential, since, leaving, {
        onOpen: () => {
          onOpen(anew);
        },
        onLife,
      });
      since = ended.id;
      refused = ended.failure?.status === 401 ? credential : null;
      wait = (ended.failure?.retryAfter ?? 0) * 1_000;
      retry = ended.retry;
      if (ended.began) failures = 0;
    }
    if (leaving.aborted) return;
    onEnd();
    await pause(Math.max(pauseBefore(failures, retry, Math.random()), wait), leaving);
    failures += 1;
  }
};

/** Follows the changes that the signed-in user may see. @returns ends that */
export const startLive = (): (() => void) => {
  const leaving = new AbortController();
  settled = new Promise((resolve) => {
    settle = resolve;
  });
  let last = new Date();
  let isLate = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  void follow(leaving.signal, {
    onOpen: (anew) => {
      settle();
      tell(anew && isLate ? { kind: 'reset', resources: null } : { kind: 'open' });
      clearTimeout(patience);
      patience = undefined;
      state.value = null;
    },
    onLife: () => {
      last = new Date();
    },
    onEnd: () => {
      isLate = true;
      settle();
      patience ??= setTimeout(() => {
        state.value = { last };
      }, PATIENCE_MS);
    },
  });
  return () => {
    leaving.abort();
    clearTimeout(patience);
    state.value = null;
    settle();
  };
};
