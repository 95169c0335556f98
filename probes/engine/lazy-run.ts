import type { Run } from './check-type.ts';

/** A run whose modules are loaded on its first call, so that processes that never run its type stay small. */
export const lazyRun = (load: () => Promise<Run>): Run => {
  let loaded: Promise<Run> | null = null;
  return async (check, context) => {
    loaded ??= load();
    return (await loaded)(check, context);
  };
};
