/** What a search brings. */
export interface SearchEvents<T> {
  /** one part of what is found; several may follow each other */
  found: (text: string, part: readonly T[]) => void;
  /** it is complete; `error`: it was cut off by that */
  ended: (text: string, error: unknown) => void;
}

export interface Search {
  /** searches for a text once no other follows for a while; empty: for nothing */
  type: (text: string) => void;
  /** gives up what runs */
  stop: () => void;
}

/**
 * Searches while somebody types: after a rest, for the latest text alone, and one search at a time. One that is given up
 * says nothing more.
 *
 * @param find finds part after part, each by one request
 * @param restMs how long nothing has to be typed, milliseconds
 */
export const createSearch = <T>(
  find: (text: string, signal: AbortSignal) => AsyncIterable<readonly T[]>,
  { found, ended }: SearchEvents<T>,
  restMs: number,
): Search => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leaving = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const run = async (text: string, { signal }: AbortController): Promise<void> => {
    const isGivenUp = (): boolean => signal.aborted;
    if (isGivenUp()) return;
    let problem: unknown = null;
    try {
      for await (const part of find(text, signal)) {
        if (isGivenUp()) return;
        found(text, part);
      }
    } catch (error) {
      problem = error;
    }
    if (!isGivenUp()) ended(text, problem);
  };

  const stop = (): void => {
    clearTimeout(timer);
    leaving.abort();
  };

  return {
    type: (text) => {
      stop();
      leaving = new AbortController();
      const own = leaving;
      if (text === '') return;
      timer = setTimeout(() => {
        // The one that was given up may take a moment to notice.
        running = running.then(() => run(text, own));
      }, restMs);
    },
    stop,
  };
};
