/** Closes resources in reverse order of their addition, even if closing some of them fails. */
export interface Shutdown {
  /** Adds a resource. It is closed before all resources that were added earlier. */
  add: (name: string, close: () => Promise<void> | void) => void;
  /** Closes all resources. Further calls wait for the first one. */
  close: () => Promise<void>;
  /**
   * Returns the name of the resource that is being closed. Returns null before `close` is called and after it has
   * finished.
   */
  current: () => string | null;
}

/** @param failed called for each resource that could not be closed; all other resources are still closed */
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
