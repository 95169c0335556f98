import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runTcp } from '../../../probes/tcp/run.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

/** Runs one tcp check. */
export const probe = (host: string, port: number, given: TestRunOptions = {}): Promise<Outcome> =>
  runTcp(
    {
      type: 'tcp',
      url: null,
      host,
      port,
      timeout: given.timeout ?? 20,
      parameters: given.parameters ?? {},
      secrets: given.secrets ?? {},
    },
    contextOf(given),
  );
