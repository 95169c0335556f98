import type { CheckTypeName } from '../../domain/check/events.ts';
import type { ProbeProcesses, ProcessesState } from './pool.ts';

const NOT_YET: ProcessesState = { ready: 0, running: 0, restarts: 0, runs: 0, trouble: null };

/** Returns probe processes that start only with the first run, so that unused check types cost nothing. */
export const startLazily = (types: readonly CheckTypeName[], start: () => ProbeProcesses): ProbeProcesses => {
  let started: ProbeProcesses | null = null;
  return {
    types,
    run: (check, context) => {
      started ??= start();
      return started.run(check, context);
    },
    change: (settings) => {
      started?.change(settings);
    },
    state: () => started?.state() ?? NOT_YET,
    stop: async () => started?.stop(),
  };
};
