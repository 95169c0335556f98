import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runSsl } from '../../../probes/ssl/run.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

/** Runs one ssl check. */
export const probe = (host: string, port: number, given: TestRunOptions = {}): Promise<Outcome> =>
  runSsl(
    {
      type: 'ssl',
      url: null,
      host,
      port,
      timeout: given.timeout ?? 20,
      parameters: given.parameters ?? {},
      secrets: given.secrets ?? {},
    },
    contextOf(given),
  );
