import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { executionGroups } from '../../../projections/execution-groups/projection.ts';
import { CHECK, ORGANIZATION, SLOT } from '../../domain/check/examples.ts';
import { ranOk } from '../../domain/check-result/examples.ts';
import {
  reportedDown,
  reportedOk,
  GROUP,
  groupCancelled,
  groupStarted,
  groupTimedOut,
  REQUESTED_REGIONS,
  TIMEOUT_AT,
} from '../../domain/execution-group/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of execution groups');
const groups = projection(executionGroups);

const answers = REQUESTED_REGIONS.map((region) => reportedOk(region));

test('a started execution group is running, and due a second after its deadline', async () => {
  const given = groups.given(groupStarted());
  await given.then('execution_groups', {
    id: GROUP,
    check_id: CHECK,
    organization_id: ORGANIZATION,
    execution_mode: 'all',
    execution_type: 'scheduled',
    status: 'running',
    requested_regions: REQUESTED_REGIONS,
    unserved: [],
    regional_results: [],
    created_at: '2026-11-20T15:00:00.000000',
    started_at: '2026-11-20T15:00:00.000000',
    completed_at: null,
    timeout_at: TIMEOUT_AT,
    triggered_by_user_id: null,
    run_id: 'run000000001',
    slot: SLOT,
    execution_id: null,
  });
  await given.then('open_groups', {
    id: GROUP,
    check_id: CHECK,
    organization_id: ORGANIZATION,
    run_id: 'run000000001',
    regions: REQUESTED_REGIONS,
    due_at: '2026-11-20T15:01:11.000000',
    changed_position: 10,
  });
});

test('an execution group whose regions have all reported is completed, and no longer due', async () => {
  const given = groups.given(groupStarted(), ...answers);
  const group = await given.document('execution_groups', GROUP);
  assert.is(group?.status, 'completed');
  assert.is(group?.completed_at, '2026-11-20T15:00:03.000000');
  assert.equal(
    group?.regional_results.map(({ region, result_id }) => [region, result_id]),
    REQUESTED_REGIONS.map((region) => [region, `result of ${region}`]),
  );
  await given.thenNone('open_groups');
});

test('an execution group that timed out is no longer due, and stays ended when a late result arrives', async () => {
  const ended = groups.given(groupStarted(), reportedOk('EU, West'), groupTimedOut);
  await ended.thenNone('open_groups');
  const group = await ended.document('execution_groups', GROUP);
  assert.is(group?.status, 'timeout');
  const late = reportedDown('IN, Mumbai', { late: true });
  const after = groups.given(groupStarted(), reportedOk('EU, West'), groupTimedOut, late, groupTimedOut);
  assert.equal(await after.document('execution_groups', GROUP), group);
});

test('a run that is started again belongs to its first execution group', async () => {
  const given = groups.given(groupStarted(), reportedOk('EU, West'), groupStarted({ timeout_at: SLOT }));
  const group = await given.document('execution_groups', GROUP);
  assert.is(group?.timeout_at, TIMEOUT_AT);
  assert.is(group?.regional_results.length, 1);
});

test('results of other runs, and of execution groups from before the retention, belong to no execution group', async () => {
  await groups.given(ranOk(), reportedOk('EU, West'), groupTimedOut).thenNone('execution_groups');
});

test('a cancelled execution group is removed unless it had ended before', async () => {
  const given = groups.given(groupStarted(), reportedOk('EU, West'), groupCancelled, groupTimedOut);
  await given.thenNone('execution_groups');
  await given.thenNone('open_groups');
  const ended = groups.given(groupStarted(), ...answers, groupCancelled);
  assert.is((await ended.document('execution_groups', GROUP))?.status, 'completed');
});

test.run();

projectionRules(executionGroups, [
  groupStarted(),
  ranOk(),
  reportedOk('EU, West'),
  groupStarted({ execution_group_id: 'group0000002', regions: ['EU, West'] }),
  reportedDown('EU, West', { execution_group_id: 'group0000002', result_id: 'result of two' }),
  groupTimedOut,
  reportedDown('IN, Mumbai', { late: true }),
  groupCancelled,
]);
