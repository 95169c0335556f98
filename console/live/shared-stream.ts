import type { TabChannel, StreamStatus, TabMessage } from './channel.ts';
import type { ScheduleCallback, Leadership } from './leadership.ts';
import type { StreamMessage } from './event-stream-parser.ts';
import { positionAfter, RESET_ALL } from './stream-events.ts';

/* The visible tabs of a browser share one stream, because browsers open only six connections to a host with
   HTTP/1.1. The leader holds the connection and forwards its messages. A tab that takes over leadership resumes the
   stream after the newest message that it received. No tab misses a message, because every tab receives all messages
   of the leader: a tab that has followed without a gap has the same position as the leader. */

export interface StreamCallbacks {
  /** events, in order */
  onMessages: (messages: readonly StreamMessage[]) => void;
  /** the stream is open; `anew`: changes before this moment may have been missed */
  onOpen: (anew: boolean) => void;
  /** the stream has ended or could not be opened */
  onEnd: () => void;
}

/** Follows the service's stream from a position (null: from now on), until `leaving` is aborted or the session ends. */
export type FollowStream = (position: string | null, leaving: AbortSignal, callbacks: StreamCallbacks) => Promise<void>;

/** The state that a tab keeps while it is hidden. */
export interface StreamMemory {
  /** id of the newest received message; null: none */
  position: string | null;
  /** time of the newest data from the service, in milliseconds since 1970 */
  last: number;
}

export interface SharingPorts {
  channel: TabChannel;
  lead: Leadership;
  follow: FollowStream;
  after: ScheduleCallback;
  /** milliseconds since 1970 */
  now: () => number;
  /** a random number from 0 to 1 */
  chance: () => number;
}

/** Interval at which the leader announces its state, in milliseconds. */
const BEAT_MS = 5_000;
/**
 * Time without a message after which a tab requests the leader's state, because the leader may be frozen. In
 * milliseconds.
 */
const SILENCE_MS = 15_000;
/** Time that a new tab waits for the leader's state before it loads its screen without the stream, in milliseconds. */
const PROMPT_MS = 1_000;
/**
 * Minimum time that a tab waits for the leader's response before it takes over, in milliseconds. Each tab adds a random
 * delay of at most the same length, so that one tab takes over before the others try.
 */
const ANSWER_MS = 4_000;

/** Resolves when a signal is aborted. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

/**
 * Follows the stream together with the other tabs. A tab that has a position takes over leadership immediately and
 * catches up through the stream; a new tab follows the leader.
 *
 * @returns a function that stops following; afterwards this tab neither sends nor receives
 */
export const shareStream = (ports: SharingPorts, memory: StreamMemory, callbacks: StreamCallbacks): (() => void) => {
  const { channel, lead, follow, after, now, chance } = ports;
  const leaving = new AbortController();
  /** whether this tab has received every message up to its position and misses none from now on */
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
        // Tabs that followed another leader may have missed changes between the end of that leader's stream and the
        // start of this stream. So these tabs reload everything.
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

  /** Handles a state that another tab, the leader, has announced. */
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
    // Messages forwarded by another leader are handled even if this tab is still leader, because this tab's own stream
    // may end before the messages arrive on it.
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
