import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runWeb } from '../../../probes/web/run.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

export { verdictOf, ok, resolveIn, type TestRunOptions } from '../run-context.ts';

/** Runs one web check. */
export const probe = (url: string, given: TestRunOptions = {}): Promise<Outcome> =>
  runWeb(
    {
      type: 'web',
      url,
      host: null,
      port: null,
      timeout: given.timeout ?? 20,
      parameters: given.parameters ?? {},
      secrets: given.secrets ?? {},
    },
    contextOf(given),
  );
