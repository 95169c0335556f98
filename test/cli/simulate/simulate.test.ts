import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeSimulation, type SimulateOptions } from '../../../cli/simulate/simulate.ts';
import { retainedFrom } from '../../../domain/retention.ts';
import { instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { startService } from '../../api/service.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail simulate rule');
const START = Date.UTC(2026, 10, 20, 12);
const service = await startService({ now: START });
const { first, second } = service;
const folder = mkdtempSync(join(tmpdir(), 'uptrail-simulate-'));
test.after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const at = (minutes: number): string => instantOf(START + minutes * MINUTE_MS);
const file = join(folder, 'rule.json');

const check = { name: 'Shop\u001b[2J', type: 'web', url: 'https://shop.example/', interval: 60, tags: ['prod'] };
const reply = await service.request('POST', '/v1/checks', { body: check });
const { id: check_id } = reply.json() as { id: string };
const down = { status: 'down', reason: 'connect', response_time: null, error_message: 'Connection refused.' } as const;
const events = [false, true, true, false, true].map((isDown, minute) =>
  resultOf(check_id, START + (minute + 1) * MINUTE_MS, { organization_id: first.id, ...(isDown && down) }),
);
const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
service.time.now = START + 10 * MINUTE_MS;

const simulated = async (rule: unknown, more: Partial<SimulateOptions> = {}): Promise<string[]> => {
  writeFileSync(file, typeof rule === 'string' ? rule : JSON.stringify(rule));
  const output = collectLines();
  await writeSimulation(
    { file, from: at(0), json: false, ...more },
    {
      read: service.readers.for({ appended: new Map() }),
      main: service.stores.main,
      resultsFrom: retainedFrom(service.time.now, 183),
      clock: () => service.time.now,
    },
    output,
  );
  return output.lines;
};
test('a date as the end of a simulation on the command line includes that day', async () => {
  const rule = { check_id, condition: 'check_failed', cooldown_period: 0 };
  const today = at(0).slice(0, 10);
  assert.equal(await simulated(rule, { to: today }), await simulated(rule));
});

const refused = async (
  rule: unknown,
  expected: string | RegExp,
  more: Partial<SimulateOptions> = {},
): Promise<void> => {
  await rejects(simulated(rule, more), OperatorError, expected);
};

const rule = { check_id, condition: 'check_failed', cooldown_period: 0, name: 'Shop is down', channel_ids: ['any'] };

test('uptrail simulate rule lists the alerts and the number of runs, with control characters replaced', async () => {
  assert.equal(
    (await simulated(rule)).map((line) => line.replace(/ {2,}/g, '  ')),
    [
      'FIRED (UTC)  RESOLVED (UTC)  FOR  CHECK  NAME  ERROR',
      `2026-11-20T12:02:00  2026-11-20T12:04:00  2 min  ${check_id}  Shop\ufffd[2J  Connection refused.`,
      `2026-11-20T12:05:00  still active  5 min  ${check_id}  Shop\ufffd[2J  Connection refused.`,
      '2 alerts in 5 runs.',
    ],
  );
  assert.equal(await simulated(rule, { to: at(1.5) }), ['0 alerts in 1 run.']);
});

test('uptrail simulate rule --json writes an object for each alert, and one for the simulation', async () => {
  const lines = (await simulated(rule, { json: true, to: at(4.5) })).map((line) => JSON.parse(line) as object);
  assert.equal(lines.slice(1), [{ runs: 4, truncated: false }]);
  assert.equal(Object.keys(lines[0] ?? {}), [
    'check_id',
    'check_name',
    'fired_at',
    'resolved_at',
    'duration',
    'trigger_results',
  ]);
});

test('uptrail simulate rule simulates a rule by tag in the named organization', async () => {
  const byTag = { ...rule, check_id: null, tag: 'prod' };
  assert.is((await simulated(byTag, { organization: first.id })).at(-1), '2 alerts in 5 runs.');
  assert.equal(await simulated(byTag, { organization: second.id }), ['0 alerts in 0 runs.']);
  await refused(byTag, 'The rule names no check. For a rule by tag, name its organization with --organization.');
  await refused(byTag, 'No organization has the id "nobody".', { organization: 'nobody' });
});

test('uptrail simulate rule refuses an invalid file or rule with the reason', async () => {
  await refused('{', /^The file .*rule\.json is not JSON: /);
  await refused('[]', /must contain the fields of a rule as a JSON object\.$/);
  await refused(rule, /^Cannot read the rule: ENOENT/, { file: join(folder, 'missing.json') });
  await refused({ ...rule, check_id: 'unknown' }, 'No check has the id "unknown".');
  await refused({ ...rule, confirmations: 0 }, /confirmations: Must be greater than or equal to 1\./);
  await refused(rule, 'The rule is invalid. check_id: There is no such check.', { organization: second.id });
  await refused(rule, 'The rule is invalid. to: Must be later than from.', { to: at(-1) });
  await refused(rule, /^The rule is invalid\. from: /, { from: 'yesterday' });
});

test.run();
