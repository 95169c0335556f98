import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runWeb } from '../../../probes/web/run.ts';
import { contextOf, type Probing } from '../run-context.ts';

export { found, ok, resolveIn, type Probing } from '../run-context.ts';

/** Runs one web check. */
export const probe = (url: string, given: Probing = {}): Promise<Outcome> =>
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
