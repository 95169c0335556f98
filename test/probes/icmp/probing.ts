import { checkTypeOf } from '../../../domain/check/types/index.ts';
import { compile } from '../../../http/routes/validate.ts';
import { runIcmp } from '../../../probes/icmp/run.ts';
import type { Outcome, Run } from '../../../probes/engine/check-type.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

const broken = compile(checkTypeOf('icmp').metadata);

/** Runs an icmp check of a host, and validates its metadata against the schema. */
export const probe = async (host: string, given: TestRunOptions = {}, run: Run = runIcmp): Promise<Outcome> => {
  const { parameters = {}, timeout = 30 } = given;
  const outcome = await run(
    { type: 'icmp', url: null, host, port: null, timeout, parameters, secrets: {} },
    contextOf(given),
  );
  const wrong = broken(outcome.check_metadata);
  if (wrong) throw new Error(`The metadata is not as its schema says: ${JSON.stringify(wrong)}`);
  return outcome;
};
