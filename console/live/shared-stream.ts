import type { Channel, StreamStatus, TabMessage } from './channel.ts';
import type { After, Leadership } from './leadership.ts';
import type { Message } from './messages.ts';
import { positionAfter, RESET_ALL } from './news.ts';

/*
 * The visible tabs of one browser share one stream, since a browser opens six connections to a host by HTTP/1.1. One
 * tab leads: it has the connection, and passes its messages on. A tab that takes over goes on from the last message
 * that it has got. Every tab gets each message of the leader, so its position is at or behind that of all tabs that
 * have followed without a gap, and none of them misses anything.
 */

export interface StreamCallbacks {
  /** events, in their order */
  onMessages: (messages: readonly Message[]) => void;
  /** the stream is open; `anew`: it is unknown what has changed before */
  onOpen: (anew: boolean) => void;
  /** it has ended, or could not be opened */
  onEnd: () => void;
}

/**
 * Follows the stream of the service from a position (null: from now on), until `leaving` says so or the session ends.
 */
export type Follow = (position: string | null, leaving: AbortSignal, callbacks: StreamCallbacks) => Promise<void>;

/** What a tab keeps while it is hidden. */
export interface Memory {
  /** the id of the last message that it has got; null: there was none */
  position: string | null;
  /** when the service was last heard, milliseconds since 1970 */
  last: number;
}

export interface SharingPorts {
  channel: Channel;
  lead: Leadership;
  follow: Follow;
  after: After;
  /** milliseconds since 1970 */
  now: () => number;
  /** a random number from 0 to 1 */
  chance: () => number;
}

/** The leader announces its state so often. */
const BEAT_MS = 5_000;
/** A leader that is silent for so long is asked for its state: it may be frozen. */
const SILENCE_MS = 15_000;
/** After so long without an answer, a new tab loads its screen without the stream. */
const PROMPT_MS = 1_000;
/** The leader then has so long to answer, or up to twice as long, so that one tab takes over before the others try. */
const ANSWER_MS = 4_000;

/** Settles when a signal is aborted. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

/**
 * Follows the stream together with the other tabs. A tab that has a position takes over the leadership at once, and so
 * catches up by the stream; a new one follows the tab that leads.
 *
 * @returns ends that: this tab sends and receives nothing more
 */
export const shareStream = (ports: SharingPorts, memory: Memory, callbacks: StreamCallbacks): (() => void) => {
  const { channel, lead, follow, after, now, chance } = ports;
  const leaving = new AbortController();
  /** whether this tab has got everything up to its position, and everything since */
  let isSynced = false;
  let isLeading = false;
  let isSignedOut = false;
  let status: StreamStatus = 'opening';
  let giveUpWaiting = (): void => undefined;
  let cancelWait = (): void => undefined;

  const wait = (ms: number, callback: () => void): void => {
    cancelWait();
    cancelWait = after(ms, callback);
  };
  const ask = (): void => {
    channel.post({ kind: 'hello' });
    wait(PROMPT_MS, () => {
      if (!isSynced) enter('broken');
      wait(ANSWER_MS * (1 + chance()), giveUpWaiting);
    });
  };

  const enter = (next: StreamStatus, anew = false): void => {
    if (next === status) return;
    status = next;
    if (next === 'open') callbacks.onOpen(anew);
    if (next === 'broken') callbacks.onEnd();
  };

  const announce = (): void => {
    channel.post({ kind: 'state', status, position: memory.position, last: memory.last });
  };

  const work = async (ending: AbortSignal): Promise<void> => {
    isLeading = true;
    cancelWait();
    enter('opening');
    announce();
    let cancelBeat = (): void => undefined;
    const beat = (): void => {
      cancelBeat = after(BEAT_MS, () => {
        announce();
        beat();
      });
    };
    beat();
    const following = follow(memory.position, ending, {
      onMessages: (messages) => {
        if (ending.aborted) return;
        memory.position = positionAfter(messages, memory.position);
        memory.last = now();
        channel.post({ kind: 'messages', messages });
        callbacks.onMessages(messages);
      },
      onOpen: (anew) => {
        if (ending.aborted) return;
        isSynced = true;
        // Tabs that followed another leader don't know what has happened between that stream and this one.
        if (anew) channel.post({ kind: 'messages', messages: [RESET_ALL] });
        enter('open', anew);
        announce();
      },
      onEnd: () => {
        if (ending.aborted) return;
        enter('broken');
        announce();
      },
    });
    const finished = following.then(() => {
      isSignedOut = !ending.aborted;
    });
    try {
      await Promise.race([finished, aborted(ending)]);
    } finally {
      cancelBeat();
      isLeading = false;
    }
  };

  /** The state of another tab, which leads. */
  const learn = (state: TabMessage & { kind: 'state' }): void => {
    memory.last = Math.max(memory.last, state.last);
    if (state.status !== 'open') {
      enter(state.status);
      return;
    }
    const anew = !isSynced && state.position !== memory.position;
    if (!isSynced) memory.position = state.position;
    isSynced = true;
    enter('open', anew);
  };

  const stopListening = channel.listen((message) => {
    if (message.kind === 'hello' && isLeading) announce();
    if (message.kind === 'state' && !isLeading) learn(message);
    // What another leader passes on while this tab still leads is handled, too: its own stream may end first.
    if (message.kind === 'messages' && isSynced) {
      if (!isLeading) memory.position = positionAfter(message.messages, memory.position);
      memory.last = now();
      callbacks.onMessages(message.messages);
    }
    if ((message.kind === 'state' || message.kind === 'messages') && !isLeading) wait(SILENCE_MS, ask);
  });

  const run = async (): Promise<void> => {
    let takeOver = memory.position !== null;
    while (!leaving.signal.aborted && !isSignedOut) {
      const waiting = new AbortController();
      let isSilent = false;
      const stop = (): void => {
        waiting.abort();
      };
      leaving.signal.addEventListener('abort', stop);
      giveUpWaiting = () => {
        isSilent = true;
        stop();
      };
      if (!takeOver) ask();
      await lead(work, { takeOver, leaving: waiting.signal });
      leaving.signal.removeEventListener('abort', stop);
      takeOver = isSilent;
    }
  };

  void run()
    .catch(() => {
      enter('broken');
    })
    .finally(() => {
      cancelWait();
      stopListening();
      channel.close();
    });
  return () => {
    leaving.abort();
    cancelWait();
    stopListening();
  };
};
