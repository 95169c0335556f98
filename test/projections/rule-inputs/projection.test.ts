import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STORED_RUNS, MAX_STREAK, type RegionOutcome } from '../../../domain/alert/evaluation-inputs.ts';
import { ruleInputs, type RuleInputsDocument } from '../../../projections/rule-inputs/projection.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import {
  reportedDown,
  reportedOk,
  endsOfNoCheck,
  groupCancelled,
  groupStarted,
  groupTimedOut,
  REQUESTED_REGIONS,
} from '../../domain/execution-group/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const [MOSCOW = '', WEST = '', MUMBAI = ''] = REQUESTED_REGIONS;

projectionRules(ruleInputs, [
  ranOk(),
  groupStarted({ run_id: 'run000000002' }),
  reportedOk(MOSCOW, { run_id: 'run000000002' }),
  reportedDown(WEST, { run_id: 'run000000002' }),
  groupTimedOut,
  groupStarted({ run_id: 'run000000003', execution_group_id: 'group0000002' }),
  { ...groupCancelled, data: { ...groupCancelled.data, execution_group_id: 'group0000002' } },
  { ...ranDown({ run_id: 'run000000004' }), metadata: { recorded_at: '2026-11-20T16:00:01.000000' } },
]);

const test = suite('the inputs of alert rules');
const inputs = projection(ruleInputs);

const after = (...facts: Fact[]): Promise<RuleInputsDocument | null> =>
  inputs.given(...facts).document('rule_inputs', CHECK);
const answersAfter = async (...facts: Fact[]): Promise<(readonly RegionOutcome[])[] | undefined> =>
  (await after(...facts))?.runs.map(({ answers }) => answers);

const nth = (number: number): { run_id: string; result_id: string } => {
  const digits = number.toString().padStart(9, '0');
  return { run_id: `run${digits}`, result_id: `res${digits}` };
};

test('the newest run is the first rule input, with the complete results of its regions', async () => {
  const document = await after(ranOk({ definition: 'a' }), ranDown({ ...nth(2), definition: 'a' }));
  assert.equal(document, {
    id: CHECK,
    check_id: CHECK,
    organization_id: ORGANIZATION,
    definition: 'a',
    runs: [
      { id: 'run000000002', at: '2026-11-20T15:00:01.000000', answers: ['bad'] },
      { id: 'run000000001', at: '2026-11-20T15:00:00.000000', answers: [12] },
    ],
    regions: [
      {
        region: MOSCOW,
        status: 'down',
        reason: 'connect',
        response_time: null,
        error_message: 'Connection refused by 127.0.0.1:443.',
        result_id: 'res000000002',
        at: '2026-11-20T15:00:01.000000',
      },
    ],
    earlier: null,
    former_runs: [],
    hour: { hour: '2026-11-20T15:00:00.000000', ok: 1, all: 2, entered: 10 },
    at: '2026-11-20T15:00:01.000000',
    changed_position: 20,
  });
});

test('late, outdated, suspect and repeated results do not count as rule inputs', async () => {
  const delivered = { late: true, ran_at: '2026-11-20T14:50:00.000000' } as const;
  const others = [{ late: true }, { outdated: true }, { suspect: true }, delivered] as const;
  for (const fields of others) assert.equal(await answersAfter(ranOk(), ranDown({ ...nth(2), ...fields })), [[12]]);
  const again = await after(ranDown(), ranOk(nth(2)), ranDown());
  assert.equal(
    again?.runs.map(({ answers }) => answers),
    [[12], ['bad']],
  );
  assert.equal(again?.hour?.all, 2);
});

test('rule inputs distinguish a timeout from other failures', async () => {
  assert.equal(await answersAfter(ranDown({ reason: 'timeout' })), [['timeout']]);
});

test('the run of a changed definition resets all rule inputs except the counts by hour', async () => {
  const document = await after(ranDown({ definition: 'a' }), ranOk({ ...nth(2), definition: 'b' }));
  assert.is(document?.definition, 'b');
  assert.is(document?.runs.length, 1);
  assert.equal(document?.hour, { hour: '2026-11-20T15:00:00.000000', ok: 1, all: 2, entered: 10 });
});

test('a repeated run of an earlier definition does not count as a rule input, and does not replace the newer definition', async () => {
  const still = async (...facts: Fact[]) => ({ ...(await after(...facts)), at: null, changed_position: null });
  const old = ranDown({ definition: 'a' });
  const next = ranDown({ ...nth(2), definition: 'b' });
  assert.equal(await still(old, next, old), await still(old, next));
  const run = { run_id: 'run000000007', definition: 'a' };
  const parallel = [groupStarted(run), ...REQUESTED_REGIONS.map((region) => reportedDown(region, run))];
  assert.equal(await still(...parallel, next, ...parallel), await still(...parallel, next));
  await inputs.given(...parallel, next, ...parallel).thenNone('open_runs');
});

test('a parallel run counts as a rule input when it has ended, with its silent regions', async () => {
  const begun = [groupStarted(), reportedOk(MOSCOW), reportedDown(WEST, { reason: 'timeout' })];
  assert.equal((await after(...begun))?.runs, []);
  assert.equal(await answersAfter(...begun, groupTimedOut), [[12, 'timeout', 'silent']]);
  assert.equal(await answersAfter(...begun, reportedOk(MUMBAI)), [[12, 'timeout', 12]]);
  assert.equal((await after(...begun, groupTimedOut))?.hour?.all, 2);
  assert.equal(await answersAfter(...begun, groupTimedOut, reportedOk(MUMBAI)), [[12, 'timeout', 'silent']]);
});

test('a region without a live runner is left out of a parallel run', async () => {
  const begun = [groupStarted({ unserved: [MUMBAI] }), reportedOk(MOSCOW)];
  assert.equal((await after(...begun))?.runs, []);
  assert.equal(await answersAfter(...begun, reportedDown(WEST)), [[12, 'bad']]);
  const timedOut = { ...groupTimedOut, data: { ...groupTimedOut.data, unserved: [WEST] } };
  assert.equal(await answersAfter(...begun, timedOut), [[12]]);
  assert.equal(await answersAfter(groupStarted(), reportedOk(MOSCOW), timedOut), [[12, 'silent']]);
  assert.equal(
    (await after(groupStarted(), reportedOk(MOSCOW), timedOut))?.regions.map(({ region }) => region),
    [MOSCOW, MUMBAI],
  );
});

test('a parallel run without results and a cancelled parallel run do not count as rule inputs', async () => {
  await inputs.given(groupStarted(), groupTimedOut).thenNone('rule_inputs');
  assert.equal((await after(groupStarted(), reportedOk(MOSCOW), groupCancelled))?.runs, []);
  await inputs.given(groupStarted(), reportedOk(MOSCOW), groupCancelled).thenNone('open_runs');
});

test('the end of a parallel run that belongs to no check changes no rule inputs', async () => {
  for (const end of endsOfNoCheck) await inputs.given(end).thenNone('rule_inputs');
});

test('a region with a suspect result is left out of its run', async () => {
  const begun = [groupStarted(), reportedDown(MOSCOW, { suspect: true }), reportedOk(WEST)];
  assert.equal(await answersAfter(...begun, reportedOk(MUMBAI)), [[12, 12]]);
  const all = REQUESTED_REGIONS.map((region) => reportedDown(region, { suspect: true }));
  await inputs.given(groupStarted(), ...all).thenNone('rule_inputs');
});

test('the newest twenty runs are stored individually, and for earlier runs only the number of consecutive failures', async () => {
  const bad = (count: number, from = 1): Fact[] => Array.from({ length: count }, (_, i) => ranDown(nth(from + i)));
  assert.is((await after(...bad(STORED_RUNS)))?.earlier, null);
  const ended = [3, 2, 1].map((n) => Date.parse(`2026-11-20T15:00:0${n - 1}Z`));
  assert.equal((await after(...bad(STORED_RUNS + 3)))?.earlier, { least: [3], majority: 3, all: 3, ended });
  assert.is((await after(ranOk(nth(1)), ...bad(STORED_RUNS, 2)))?.earlier, null);
  const { ended: kept, ...longest } = (await after(...bad(200)))?.earlier ?? {};
  assert.equal([longest, kept?.length], [{ least: [100], majority: 100, all: 100 }, MAX_STREAK - STORED_RUNS]);
});

test('hours before the hour of the newest result are separate documents, even if a result of an earlier hour is repeated', async () => {
  const atHour = (hour: number, fact: Fact): Fact => ({
    ...fact,
    metadata: { recorded_at: `2026-11-20T${hour}:10:00.000000` },
  });
  const at15 = { id: `${CHECK} 2026-11-20T15`, check_id: CHECK, hour: '2026-11-20T15:00:00.000000' };
  const at16 = { id: `${CHECK} 2026-11-20T16`, check_id: CHECK, hour: '2026-11-20T16:00:00.000000' };
  const back = [atHour(15, ranOk(nth(1))), atHour(16, ranDown(nth(2))), atHour(15, ranDown(nth(3)))];
  const given = inputs.given(...back, atHour(17, ranOk(nth(4))));
  await given.then('rule_hours', [
    { ...at15, ok: 1, all: 2 },
    { ...at16, ok: 0, all: 1 },
  ]);
  assert.equal((await given.document('rule_inputs', CHECK))?.hour?.ok, 1);
  const { ok, all, entered } = (await after(...back))?.hour ?? {};
  assert.equal([ok, all, entered], [1, 2, 30]);
});

test.run();
