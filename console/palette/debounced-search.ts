/** Callbacks of a search. */
export interface SearchEvents<T> {
  /** a part of the results; several may follow */
  found: (text: string, part: readonly T[]) => void;
  /** the search is complete; `error`: it failed */
  ended: (text: string, error: unknown) => void;
}

export interface DebouncedSearch {
  /** searches for a text after the debounce; empty: clears the search */
  type: (text: string) => void;
  /** aborts the running search */
  stop: () => void;
}

/**
 * A debounced search while the user types: only for the latest text, and one search at a time. An aborted search
 * reports nothing more.
 *
 * @param find yields parts of the results, one request each
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
        // The aborted search may take a moment to end.
        running = running.then(() => run(text, own));
      }, restMs);
    },
    stop,
  };
};
