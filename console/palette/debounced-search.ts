/** Callbacks of a search. */
export interface SearchEvents<T> {
  /** delivers a part of the results; called once for each part */
  found: (text: string, part: readonly T[]) => void;
  /** reports the end of the search; `error`: why it failed; undefined: it succeeded */
  ended: (text: string, error: unknown) => void;
}

export interface DebouncedSearch {
  /** searches for a text after the debounce; an empty text clears the search */
  type: (text: string) => void;
  /** aborts the running search */
  stop: () => void;
}

/**
 * Creates a debounced search for a field. It searches only for the latest text, and runs one search at a time. An
 * aborted search calls no more callbacks.
 *
 * @param find yields parts of the results; each part takes one request
 * @param restMs debounce in milliseconds
 */
export const createDebouncedSearch = <T>(
  find: (text: string, signal: AbortSignal) => AsyncIterable<readonly T[]>,
  { found, ended }: SearchEvents<T>,
  restMs: number,
): DebouncedSearch => {
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
        // An aborted search may take a moment to end. The next search starts only afterwards.
        running = running.then(() => run(text, own));
      }, restMs);
    },
    stop,
  };
};
