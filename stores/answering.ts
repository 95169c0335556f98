import { setTimeout as sleep } from 'node:timers/promises';

/** All in milliseconds. */
export const ANSWERING_TIMINGS = {
  /** a call without an answer for this long is a reason to ask the server whether it is there */
  patience: 1_500,
  /** how long the server may take to answer that question */
  word: 3_000,
  /** pause between two such questions while it does not answer */
  pause: 500,
};

/** The server does not answer at present; the message says why, as half a sentence. */
export class NotAnswering extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotAnswering';
  }
}

const SILENT = 'it did not answer in time';

export interface AnsweringOptions {
  /**
   * Asks the server something small. A refusal counts as an answer.
   *
   * @param milliseconds the time after which nobody waits for the answer any more
   * @throws Error the server can't be reached; the message says why, as half a sentence
   */
  ask: (milliseconds: number) => Promise<unknown>;
  /** Called with the reason when the server does not answer, and with null when it does again. */
  changed?: (silence: string | null) => void;
  /** waits in milliseconds; tests use others than {@link ANSWERING_TIMINGS} */
  timings?: Partial<typeof ANSWERING_TIMINGS>;
}

/** Whether a server answers, judged by its calls. It is asked only while calls go unanswered. */
export interface Answering {
  /** why the server does not answer, as half a sentence; null while it does, or while nothing is known */
  readonly silence: string | null;
  /**
   * Calls the server. When the server turns out to be silent, a call under way is given up and its outcome is unknown.
   * An `awaited` call is not given up, so its outcome is still seen.
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
 * Notices a silent server: one that is frozen, or behind a connection that is dead without a sign. A long call is no
 * proof, since it may simply take long. But when the server does not answer a small question either, and nothing else
 * has been heard from it meanwhile, calls are refused until it answers again. Calls that fail by themselves, as on a
 * refused connection, need no such care.
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

  /** Why there was no sign of life in time; null when there was one. */
  const whySilent = async (): Promise<string | null> => {
    const asked = performance.now();
    const word = ask(timings.word).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    // A process that was short of CPU first takes in what has arrived, then judges.
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
