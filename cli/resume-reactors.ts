import { haltedBecause, resumeReactors } from '../reactors/engine/checkpoint.ts';
import type { Config } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import { openCoordination, siteOf } from '../service/stores.ts';

/** Names of all reactors there are. */
export const REACTORS: readonly string[] = [
  'check-status',
  'execution-deadlines',
  'job-runs',
  'job-results',
  'credit-limits',
];

/** `uptrail reactors resume`: automatic actions, which halt after a restored backup, go on. */
export const resumeReactorsHere = async (config: Config, output: Output): Promise<void> => {
  const coordination = await openCoordination(siteOf(config));
  try {
    const reason = await haltedBecause(coordination);
    if (reason !== null) await resumeReactors(coordination, REACTORS);
    await output.line(reason === null ? 'Reactors were not halted.' : `Reactors go on. They were halted: ${reason}`);
  } finally {
    await coordination.close();
  }
};
