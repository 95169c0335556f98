import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { creditsOf } from '../../domain/credits/costs.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { createCheck } from './checking.ts';
import { requestRun, waitForOutcome, type ShownJob } from './polling.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';
import { dnsTarget } from './targets/dns.ts';
import { kindsHere } from './targets/kinds.ts';
import { portscanTarget } from './targets/portscan.ts';
import { sslTarget } from './targets/ssl.ts';
import type { Target } from './targets/target.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Timeout of checks in seconds, the maximum of `POST /v1/checks/execute` (docs/reference/checks.md#check-fields). */
const TIMEOUT = 30;
/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;
const REGIONS = ['EU, West', 'IN, Mumbai'];

const test = suite('runs on demand of each type');
test.after.each(endPrograms);

const loopback = async (): Promise<Watched> => ({
  definition: { name: 'Loopback', type: 'icmp', host: '127.0.0.1', parameters: { probe_interval: 0.05 } },
  close: async () => undefined,
});
type Watched = Pick<Target, 'definition' | 'close'>;

interface Kind {
  kind: 'ssl' | 'dns' | 'icmp' | 'portscan';
  create: (folder: string) => Promise<Watched>;
}
const KINDS: Kind[] = [
  { kind: 'ssl', create: sslTarget },
  { kind: 'dns', create: dnsTarget },
  { kind: 'icmp', create: loopback },
  { kind: 'portscan', create: portscanTarget },
];
const kinds = kindsHere(test, KINDS);

/**
 * Runs a check of a target three times: as a stored check, as an unsaved definition, and in two regions in parallel.
 *
 * @returns the id of the stored check
 */
const runThrice = async (program: RunningProgram, { definition }: Watched): Promise<string> => {
  const { name, parameters } = definition;
  const run = async (path: string, body?: object): Promise<ShownJob> => {
    const job = await waitForOutcome(
      program,
      ADMIN_API_KEY,
      await requestRun(program, ADMIN_API_KEY, path, body),
      SOON,
    );
    assert.is(job.status, 'completed', `${name}: ${job.error_message ?? ''}`);
    return job;
  };
  const stored = async (query: string) => {
    const { body } = await callApi(program, ADMIN_API_KEY, 'GET', `/v1/checks/all-results?${query}`);
    return (body as { results: { status: string; result_type: string; check_metadata: object }[] }).results;
  };

  const check = await createCheck(program, ADMIN_API_KEY, {
    ...definition,
    interval: 60,
    timeout: TIMEOUT,
    active: false,
  });
  const ofCheck = await run(`${check.path}/execute`);
  assert.is(ofCheck.result?.status, 'ok', `${name}: ${ofCheck.result?.error_message ?? ''}`);
  const [result] = await stored(`result_id=${ofCheck.result?.result_id ?? ''}`);
  assert.equal([result?.status, result?.result_type], ['ok', 'on_demand'], name);
  assert.ok(Object.keys(result?.check_metadata ?? {}).length > 3, name);

  const byHand = await run('/v1/checks/execute', { ...definition, timeout: TIMEOUT });
  assert.equal([byHand.check_id, byHand.result?.status], [null, 'ok'], name);

  const everywhere = { regions: REGIONS, multi_region_execution: { enabled: true, execution_mode: 'all' } };
  const parallel = await run('/v1/checks/execute', {
    ...definition,
    timeout: TIMEOUT,
    parameters: { ...(parameters as object), ...everywhere },
  });
  assert.equal(
    parallel.result?.regional_summary?.map(({ region, status }) => [region, status]),
    REGIONS.map((region) => [region, 'ok']),
    name,
  );
  assert.is((await stored(`execution_group_id=${parallel.result?.execution_group_id ?? ''}`)).length, 2, name);
  return check.id;
};

test(
  'runs on demand of each type work for stored checks, for unsaved definitions and in several regions, are charged, and appear on the command line',
  inTemporaryFolder(async (folder) => {
    const DATA_DIR = `${folder}/data`;
    const targets: Watched[] = [];
    try {
      for (const { create } of kinds) targets.push(await create(folder));
      const program = await serve({ DATA_DIR, ADMIN_API_KEY });
      const ids = await Promise.all(targets.map((target) => runThrice(program, target)));

      const [organization] = (await callApi(program, ADMIN_API_KEY, 'GET', '/v1/organizations')).body as [
        { credits: { used: number } },
      ];
      const runs = 2 + REGIONS.length;
      assert.is(
        organization.credits.used,
        kinds.reduce((sum, { kind }) => sum + runs * creditsOf(kind), 0),
      );
      const { code, stdout, stderr } = await uptrail({ DATA_DIR }, 'checks', '--json');
      assert.is(code, 0, stderr);
      const shown = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; status: string });
      assert.equal(shown.map(({ id, status }) => [id, status]).sort(), ids.map((id) => [id, 'up']).sort());
      assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      for (const target of targets) await target.close();
    }
  }),
);

test.run();
