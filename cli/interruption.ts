/** Returns a signal that the first SIGINT or SIGTERM aborts. The second one ends the process immediately. */
export const interruptionSignal = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
};
