import * as assert from 'uvu/assert';
import { DnsMetadata } from '../../../domain/check/types/dns.ts';
import { compile } from '../../../http/routes/validate.ts';
import type { Outcome } from '../../../probes/engine/check-type.ts';
import { runDns } from '../../../probes/dns/run.ts';
import { contextOf, type TestRunOptions } from '../run-context.ts';

const brokenIn = compile(DnsMetadata);

/** Runs one dns check. */
export const probe = async (
  host: string,
  given: TestRunOptions = {},
): Promise<Outcome & { check_metadata: DnsMetadata }> => {
  const { timeout = 20, parameters = {} } = given;
  const check = { type: 'dns', url: null, host, port: null, timeout, parameters, secrets: {} };
  const outcome = await runDns(check, contextOf(given));
  assert.is(brokenIn(outcome.check_metadata), null, JSON.stringify(outcome.check_metadata));
  return { ...outcome, check_metadata: outcome.check_metadata as DnsMetadata };
};
