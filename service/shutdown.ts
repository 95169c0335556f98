/** Resources that are closed in reverse order, even if closing some of them fails. */
export interface Shutdown {
  /** Adds a resource that is closed before all those added earlier. */
  add: (name: string, close: () => Promise<void> | void) => void;
  /** Closes everything once; further calls wait for the first. */
  close: () => Promise<void>;
  /** The name of the resource being closed; null before `close` is called and after it is done. */
  current: () => string | null;
}

/** @param failed called for each resource that could not be closed; the others are closed nevertheless */
export const createShutdown = (failed: (name: string, error: unknown) => void): Shutdown => {
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
