/** Things that were opened and are closed in reverse order, even if some of them throw. */
export interface Closing {
  /** Adds something to close before everything that was added earlier. */
  add: (name: string, close: () => Promise<void> | void) => void;
  /** Closes everything once; further calls wait for the first. */
  close: () => Promise<void>;
  /** What is being closed now, by its name; null before it is asked to, and when all is closed. */
  current: () => string | null;
}

/** @param failed called for what could not be closed; the rest is closed nevertheless */
export const createClosing = (failed: (name: string, error: unknown) => void): Closing => {
  const opened: { name: string; close: () => Promise<void> | void }[] = [];
  let closing: Promise<void> | null = null;
  let current: string | null = null;

  const closeAll = async (): Promise<void> => {
    for (let next = opened.pop(); next; next = opened.pop()) {
      current = next.name;
      try {
        await next.close();
      } catch (error) {
        failed(next.name, error);
      }
    }
    current = null;
  };

  return {
    add: (name, close) => {
      opened.push({ name, close });
    },
    close: () => (closing ??= closeAll()),
    current: () => current,
  };
};
