const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Returns a signal that the first SIGINT or SIGTERM aborts. Another SIGINT or SIGTERM ends the process immediately. */
export const interruptionSignal = (): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => {
    for (const signal of SIGNALS) process.off(signal, abort);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, abort);
  return controller.signal;
};
