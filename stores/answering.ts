import { setTimeout as sleep } from 'node:timers/promises';

/** All in milliseconds. */
export const ANSWERING_TIMINGS = {
  /** a call that has no answer for so long is a reason to ask the server whether it is there */
  patience: 1_500,
  /** how long it may take to say so */
  word: 3_000,
  /** between two questions while it does not */
  pause: 500,
};

/** A server does not answer at present; the message says why, as half a sentence. */
export class NotAnswering extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotAnswering';
  }
}

const SILENT = 'it did not answer in time';

export interface AnsweringOptions {
  /**
   * Asks the server something small; one that says no has answered.
   *
   * @param milliseconds after which nobody waits for the answer any more
   * @throws Error it can't be reached: why, as half a sentence
   */
  ask: (milliseconds: number) => Promise<unknown>;
  /** Told why the server does not answer, and null when it does again. */
  changed?: (silence: string | null) => void;
  /** waits, milliseconds; other ones than {@link ANSWERING_TIMINGS} are for tests */
  timings?: Partial<typeof ANSWERING_TIMINGS>;
}

/** Whether a server answers, as its calls tell. Nothing is asked while they are answered, or while there are none. */
export interface Answering {
  /** why the server does not answer, as half a sentence, while that is known; else null */
  readonly silence: string | null;
  /**
   * Calls the server. A call that is under way when the server turns out to be silent is given up, and whether it is
   * done is unknown; one that is `awaited` is not, so that what comes of it is seen.
   *
   * @throws NotAnswering at once while the server is known not to answer
   */
  call: <T>(run: () => Promise<T>, options?: { awaited?: boolean }) => Promise<T>;
  close: () => void;
}

interface UnderWay {
  since: number;
  giveUp: (reason: string) => void;
}

/**
 * Notices a server that is silent: frozen, or behind a connection that is dead without a sign. A call that waits for
 * long is no proof, it may be a long one; but when the server does not answer a small question either, nothing else
 * has been heard of it meanwhile, and what is asked is refused until it answers again. Calls that fail by themselves,
 * as on a connection that is refused, need no such care.
 */
export const watchAnswers = ({ ask, changed, ...options }: AnsweringOptions): Answering => {
  const timings = { ...ANSWERING_TIMINGS, ...options.timings };
  const underWay = new Set<UnderWay>();
  const closing = new AbortController();
  let silence: string | null = null;
  let heardAt = -Infinity;
  let watching = false;

  const isClosed = (): boolean => closing.signal.aborted;

  const pause = (milliseconds: number): Promise<unknown> =>
    sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);

  /** Why there is no sign of life within the time for one; null when there is one. */
  const whySilent = async (): Promise<string | null> => {
    const asked = performance.now();
    const word = ask(timings.word).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    // A process that was short of CPU takes notice of what has arrived before it judges.
    const late = pause(timings.word).then(() => pause(timings.word / 20));
    const reason = await Promise.race([word, late.then(() => SILENT)]);
    return heardAt > asked ? null : reason;
  };

  const isOverdue = (): boolean => {
    const [first] = underWay;
    return first !== undefined && performance.now() - Math.max(first.since, heardAt) >= timings.patience;
  };

  const become = (now: string | null): void => {
    silence = now;
    changed?.(now);
  };

  const refuseUntilAnswered = async (reason: string): Promise<void> => {
    become(reason);
    for (const { giveUp } of underWay) giveUp(reason);
    for (let now: string | null = reason; now !== null && !isClosed();) {
      await pause(timings.pause);
      now = await whySilent();
    }
    if (!isClosed()) become(null);
  };

  const watch = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    while (underWay.size > 0 && !isClosed()) {
      await pause(timings.patience);
      const reason = isOverdue() ? await whySilent() : null;
      if (reason !== null && !isClosed()) await refuseUntilAnswered(reason);
    }
    watching = false;
  };

  return {
    get silence() {
      return silence;
    },

    call: async (run, { awaited = false } = {}) => {
      if (silence !== null) throw new NotAnswering(silence);
      const running = run();
      let giveUp: UnderWay['giveUp'] = () => undefined;
      const givenUp = new Promise<never>((_, reject) => {
        if (awaited) return;
        giveUp = (reason) => {
          reject(new NotAnswering(reason));
        };
      });
      const one = { since: performance.now(), giveUp };
      underWay.add(one);
      void watch();
      try {
        const result = await Promise.race([running, givenUp]);
        heardAt = performance.now();
        return result;
      } finally {
        underWay.delete(one);
      }
    },

    close: () => {
      closing.abort();
    },
  };
};
