import { createTargetPolicy } from '../../../domain/target/policy.ts';
import type { Outcome } from '../../../runners/probe/check-type.ts';
import { systemClock } from '../../../network/clock.ts';
import { runTcp } from '../../../runners/tcp/run.ts';
import { resolveIn, type Probing } from '../web/probing.ts';

/** Runs one tcp check. */
export const probe = (host: string, port: number, given: Probing = {}): Promise<Outcome> =>
  runTcp(
    { type: 'tcp', url: null, host, port, timeout: given.timeout ?? 20, parameters: given.parameters ?? {} },
    {
      clock: systemClock,
      resolve: given.resolve ?? resolveIn(given.hosts ?? {}),
      policy: createTargetPolicy(given.rules ?? { policy: 'internal' }),
      signal: given.signal ?? new AbortController().signal,
      trust: given.trust ?? [],
    },
  );
