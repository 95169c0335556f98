import type { CheckEntry } from '../../../cli/configuration/model.ts';
import { RUNS } from '../../../probes/index.ts';
import { contextOf, type TestRunOptions } from '../../probes/run-context.ts';

/** Runs an imported check as the service does. Returns whether it is up. */
export const isUp = async (check: CheckEntry, options: TestRunOptions = {}): Promise<boolean> => {
  const { type, url = null, host = null, port = null, timeout = 10, parameters = {} } = check;
  const run = RUNS.get(type);
  if (!run) throw new Error(`Checks of type ${type} can't be run here.`);
  const definition = { type, url, host, port, timeout, parameters, secrets: {} } as Parameters<typeof run>[0];
  const { status } = await run(definition, contextOf(options));
  return status === 'ok';
};
