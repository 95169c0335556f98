import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobOutcomes } from '../../../projections/job-outcomes/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import {
  reportedDown,
  reportedOk,
  GROUP,
  groupStarted,
  groupTimedOut,
  REQUESTED_REGIONS,
  TIMEOUT_AT,
} from '../../domain/execution-group/examples.ts';
import { JOB, single } from '../../domain/job/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the outcomes of jobs');
const given = projection(jobOutcomes).given;

const ON_DEMAND = { result_type: 'on_demand', execution_id: JOB } as const;
const began = groupStarted({ execution_type: 'on_demand', execution_id: JOB });
const ok = (region: string) => reportedOk(region, ON_DEMAND);

test('the outcome of a job in one region is the first result of its run', async () => {
  const ran = given(ranOk(ON_DEMAND), ranDown(ON_DEMAND));
  await ran.then('job_outcomes', [
    {
      id: JOB,
      job_id: JOB,
      organization_id: ORGANIZATION,
      running: null,
      result: single,
      at: '2026-11-20T15:00:00.000000',
      changed_position: 10,
    },
  ]);
});

test('a job in several regions is running until all regions have reported', async () => {
  const running = await given(began, ok('EU, West')).document('job_outcomes', GROUP);
  assert.equal([running?.job_id, running?.result, running?.changed_position], [JOB, null, 0]);
  assert.equal(
    running?.running?.regional_results.map(({ region }) => region),
    ['EU, West'],
  );
  const ended = await given(began, ...REQUESTED_REGIONS.map(ok)).document('job_outcomes', GROUP);
  assert.is(ended?.running, null);
  assert.is(ended?.result?.status, 'completed');
  assert.is(ended?.changed_position, 40);
  assert.is(ended?.at, '2026-11-20T15:00:03.000000');
});

test('a job with silent regions ends once at its deadline', async () => {
  const ended = await given(began, ok('EU, West'), groupTimedOut).document('job_outcomes', GROUP);
  assert.is(ended?.result?.status, 'partial');
  assert.is(ended?.at, TIMEOUT_AT);
  const late = reportedOk('IN, Mumbai', { ...ON_DEMAND, late: true });
  const after = given(began, ok('EU, West'), groupTimedOut, late, groupTimedOut, began);
  assert.equal(await after.document('job_outcomes', GROUP), ended);
});

test('the outcome of a job whose run is started again is that of its first execution group', async () => {
  const again = groupStarted({ ...began.data, timeout_at: '2026-11-20T16:00:00.000000' });
  const running = await given(began, ok('EU, West'), again).document('job_outcomes', GROUP);
  assert.is(running?.running?.timeout_at, TIMEOUT_AT);
  assert.is(running?.running?.regional_results.length, 1);
});

test('scheduled runs and execution groups from before the retention have no job outcome', async () => {
  const scheduled = given(groupStarted(), reportedOk('EU, West'), groupTimedOut, ranOk());
  await scheduled.thenNone('job_outcomes');
  await given(ok('EU, West'), groupTimedOut).thenNone('job_outcomes');
});

test.run();

projectionRules(jobOutcomes, [
  ranOk(ON_DEMAND),
  began,
  groupStarted({ execution_group_id: 'group0000002' }),
  ok('EU, West'),
  reportedDown('RU, Moscow', ON_DEMAND),
  ranDown({ ...ON_DEMAND, execution_id: 'job000000002', result_id: 'result000002' }),
  groupTimedOut,
  reportedOk('IN, Mumbai', { ...ON_DEMAND, late: true }),
]);
