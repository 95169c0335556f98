/** Aborted by the first SIGINT or SIGTERM; the second one ends the process immediately. */
export const interrupted = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
};
