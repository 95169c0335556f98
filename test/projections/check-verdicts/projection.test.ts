import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkVerdicts } from '../../../projections/check-verdicts/projection.ts';
import { CHECK, LATER_SLOT, ORGANIZATION, SLOT } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import {
  reportedDown,
  reportedOk,
  endsOfNoCheck,
  groupCancelled,
  groupStarted,
  groupTimedOut,
  TIMEOUT_AT,
} from '../../domain/execution-group/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the verdict of a check’s newest run');
const verdicts = projection(checkVerdicts);

const goodAfter = async (...facts: Fact[]): Promise<boolean | undefined> =>
  (await verdicts.given(...facts).document('check_verdicts', CHECK))?.good;

test('the verdict of a run in one region is the verdict of its only result', async () => {
  assert.is(await goodAfter(ranOk()), true);
  assert.is(await goodAfter(ranDown()), false);
});

test('of two overlapping runs, the run that was recorded later determines the verdict, even if this run was due earlier', async () => {
  const other = ranOk({ slot: LATER_SLOT, result_id: 'result000002', run_id: 'run000000002' });
  assert.is(await goodAfter(other, ranDown()), false);
});

test('a late result changes no verdict, nor does an earlier result that is repeated after a newer one', async () => {
  const other = ranOk({ slot: LATER_SLOT, result_id: 'result000002', run_id: 'run000000002' });
  assert.is(await goodAfter(other, ranDown({ late: true })), true);
  assert.is(await goodAfter(other, ranDown({ late: true, ran_at: '2026-11-20T14:50:00.000000' })), true);
  assert.is(await goodAfter(ranDown(), other, ranDown()), true);
});

test('a run that was due while the clock was two days ahead does not block later results', async () => {
  const ahead = {
    ...ranOk({ slot: '2026-11-22T15:00:00.000000', run_id: 'run000000002' }),
    metadata: { recorded_at: '2026-11-22T15:00:00.100000' },
  };
  assert.is(await goodAfter(ahead, ranDown()), false);
});

test('an on-demand run of a check that was changed during the run gives no verdict, in one region or in several', async () => {
  assert.is(await goodAfter(ranOk(), ranDown({ run_id: 'run000000002', outdated: true })), true);
  const two = groupStarted({ regions: ['RU, Moscow', 'EU, West'] });
  const given = verdicts.given(two, reportedDown('RU, Moscow'), reportedDown('EU, West', { outdated: true }));
  await given.thenNone('check_verdicts');
  await given.thenNone('running_groups');
});

test('a suspect result gives no verdict, and counts as a silent region in a parallel run', async () => {
  assert.is(await goodAfter(ranOk(), ranDown({ run_id: 'run000000002', suspect: true })), true);
  assert.is(await goodAfter(ranDown({ suspect: true })), undefined);
  const two = groupStarted({ regions: ['RU, Moscow', 'EU, West'] });
  const suspect = reportedDown('EU, West', { suspect: true });
  assert.is(await goodAfter(two, reportedOk('RU, Moscow'), suspect), true);
  assert.is(await goodAfter(two, reportedDown('RU, Moscow', { suspect: true }), suspect), undefined);
});

test('a verdict is listed at the position of the event that changed it, and again at the first result of another day', async () => {
  const positions = async (...facts: Fact[]): Promise<number | undefined> =>
    (await verdicts.given(...facts).document('check_verdicts', CHECK))?.changed_position;
  const again = ranOk({ slot: LATER_SLOT, result_id: 'result000002', run_id: 'run000000002' });
  assert.is(await positions(ranOk(), again), 10);
  assert.is(await positions(ranOk(), { ...again, metadata: { recorded_at: '2026-11-21T00:00:01.000000' } }), 20);
});

test('a parallel run gives no verdict before it has ended', async () => {
  assert.is(await goodAfter(groupStarted(), reportedDown('EU, West'), reportedDown('RU, Moscow')), undefined);
});

test('a parallel run succeeds when at least half of the reporting regions are ok', async () => {
  const two = groupStarted({ regions: ['RU, Moscow', 'EU, West'] });
  assert.is(await goodAfter(two, reportedDown('RU, Moscow'), reportedOk('EU, West')), true);
  const three = [groupStarted(), reportedDown('RU, Moscow'), reportedOk('EU, West')];
  assert.is(await goodAfter(...three, reportedDown('IN, Mumbai')), false);
  assert.is(await goodAfter(...three, reportedOk('IN, Mumbai')), true);
  assert.is(await goodAfter(...three, groupTimedOut), true);
});

test('the reason of a failed parallel run names the number of failed regions, and the error of one of them', async () => {
  const facts = [groupStarted(), reportedOk('RU, Moscow'), reportedDown('EU, West'), reportedDown('IN, Mumbai')];
  const found = await verdicts.given(...facts).document('check_verdicts', CHECK);
  assert.equal(found, {
    id: CHECK,
    organization_id: ORGANIZATION,
    good: false,
    check_id: CHECK,
    result_id: 'result of EU, West',
    run_id: 'run000000001',
    slot: SLOT,
    region: 'EU, West',
    at: '2026-11-20T15:00:03.000000',
    error_message: 'Failed in 2 of 3 regions; EU, West: Connection refused by 127.0.0.1:443.',
    changed_position: 40,
    judged: ['run000000001'],
  });
});

test('a parallel run without a result from any region gives no verdict, even when a late result arrives', async () => {
  const silent = [groupStarted({ slot: LATER_SLOT }), groupTimedOut, reportedDown('EU, West', { late: true })];
  assert.is(await goodAfter(...silent), undefined);
  assert.is(await goodAfter(ranOk(), ...silent), true);
});

test('a parallel run that timed out gives a verdict at its deadline, and is removed from the read model', async () => {
  const given = verdicts.given(groupStarted(), reportedDown('EU, West'), groupTimedOut);
  assert.is((await given.document('check_verdicts', CHECK))?.at, TIMEOUT_AT);
  await given.thenNone('running_groups');
});

test('the end of a parallel run that belongs to no check gives no verdict', async () => {
  for (const end of endsOfNoCheck) await verdicts.given(end).thenNone('check_verdicts');
});

test('a cancelled parallel run gives no verdict, even if some regions have reported', async () => {
  const given = verdicts.given(groupStarted(), reportedDown('EU, West'), groupCancelled, groupTimedOut);
  await given.thenNone('check_verdicts');
  await given.thenNone('running_groups');
});

test('a run of an unsaved definition gives no verdict for any check', async () => {
  const { data: adHoc } = ranOk();
  delete adHoc.check_id;
  await verdicts.given({ type: 'CheckRunCompleted', data: adHoc }).thenNone('check_verdicts');
  const { data: group } = groupStarted();
  delete group.check_id;
  await verdicts.given({ type: 'ExecutionGroupStarted', data: group }).thenNone('running_groups');
});

test.run();

projectionRules(checkVerdicts, [
  ranOk(),
  groupStarted({ slot: LATER_SLOT }),
  reportedDown('EU, West'),
  groupStarted({ execution_group_id: 'group0000002', regions: ['EU, West'] }),
  reportedDown('EU, West', { execution_group_id: 'group0000002', result_id: 'result of two' }),
  groupTimedOut,
  groupStarted({ execution_group_id: 'group0000003' }),
  { ...groupCancelled, data: { ...groupCancelled.data, execution_group_id: 'group0000003' } },
  reportedOk('IN, Mumbai', { late: true }),
  ranDown({ slot: '2026-11-20T15:02:30.000000', result_id: 'result000003' }),
]);
