import type { Run } from './check-type.ts';

/** Creates a run that loads its modules on the first call, to save memory in processes that never run this type. */
export const lazyRun = (load: () => Promise<Run>): Run => {
  let loaded: Promise<Run> | null = null;
  return async (check, context) => {
    loaded ??= load();
    return (await loaded)(check, context);
  };
};
