import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventOf } from '../../../domain/event-types.ts';
import { startedGroup, timedOut, withResult, type ExecutionGroup } from '../../../domain/execution-group/state.ts';
import { groupResultOf, singleResultOf } from '../../../domain/job/result.ts';
import { latestStartOf, latestEndOf, runIdOf, hasExpired } from '../../../domain/job/run.ts';
import { ranDown, ranOk } from '../check-result/examples.ts';
import { reportedDown, reportedOk, GROUP, groupStarted } from '../execution-group/examples.ts';
import { definition, JOB, THREE_REGIONS } from './examples.ts';

const test = suite('outcomes of jobs');

const AT = '2026-11-20T15:00:30.000000';

test('the outcome of a job in one region is the result of its run, which distinguishes timeouts from other failures', () => {
  assert.equal(singleResultOf(ranOk().data), {
    result_id: 'result000001',
    region: 'RU, Moscow',
    status: 'ok',
    response_time: 12,
    error_message: null,
  });
  const down = singleResultOf(ranDown().data);
  assert.is(down.status, 'failed');
  assert.is(down.error_message, 'Connection refused by 127.0.0.1:443.');
  assert.is(singleResultOf(ranDown({ reason: 'timeout' }).data).status, 'timeout');
  assert.is(singleResultOf(ranDown({ status: 'failed', reason: 'status' }).data).status, 'failed');
});

const group = (...results: EventOf<'CheckRunCompleted'>[]): ExecutionGroup =>
  results.reduce((state, { data }) => withResult(state, data, AT), startedGroup(groupStarted().data, AT));

const REGIONS = ['RU, Moscow', 'EU, West', 'IN, Mumbai'] as const;

test('a job in several regions is completed if all regions succeed, failed if none does, and otherwise partial', () => {
  assert.is(groupResultOf(group(...REGIONS.map((region) => reportedOk(region)))).status, 'completed');
  assert.is(groupResultOf(group(...REGIONS.map((region) => reportedDown(region)))).status, 'failed');
  assert.is(groupResultOf(timedOut(group())).status, 'failed');
  assert.is(groupResultOf(timedOut(group(reportedOk('EU, West')))).status, 'partial');
});

test('a job in several regions counts its regions and shows the result of each', () => {
  const answers = [reportedOk('EU, West', { response_time: 10 }), reportedDown('RU, Moscow')];
  assert.equal(groupResultOf(timedOut(group(...answers))), {
    execution_group_id: GROUP,
    status: 'partial',
    total_regions: 3,
    completed_regions: 1,
    failed_regions: 2,
    avg_response_time: 10,
    min_response_time: 10,
    max_response_time: 10,
    regional_summary: [
      {
        result_id: 'result of RU, Moscow',
        region: 'RU, Moscow',
        status: 'failed',
        response_time: null,
        error_message: 'Connection refused by 127.0.0.1:443.',
      },
      {
        result_id: 'result of EU, West',
        region: 'EU, West',
        status: 'ok',
        response_time: 10,
        error_message: null,
      },
      {
        result_id: null,
        region: 'IN, Mumbai',
        status: 'timeout',
        response_time: null,
        error_message: 'The region reported no result in time.',
      },
    ],
  });
});

test('the outcome of a job has the same ID when it is processed again', () => {
  assert.is(runIdOf(JOB), runIdOf(JOB));
  assert.is.not(runIdOf(JOB), runIdOf('job000000002'));
});

test('a job has the deadline of a run that starts a minute late, or the deadline of its execution group', () => {
  assert.is(latestStartOf(AT), '2026-11-20T15:01:30.000000');
  assert.is(latestEndOf(AT, definition()), '2026-11-20T15:01:41.000000');
  assert.is(latestEndOf(AT, definition({ parameters: THREE_REGIONS })), '2026-11-20T15:02:12.000000');
  const sentence = 'The run waited longer than 70 seconds for a runner and was given up.';
  assert.is(hasExpired(definition()), sentence);
  assert.is(latestEndOf(AT, definition({ timeout: 2.5 })), '2026-11-20T15:01:33.500000');
  assert.is(hasExpired(definition({ timeout: 1.005 })), sentence.replace('70', '61.005'));
});

test('the duration of a port scan job is bounded by the timeout of its host', () => {
  const scan = (parameters: object) => latestEndOf(AT, definition({ type: 'portscan', parameters: { ...parameters } }));
  assert.is(scan({}), '2026-11-20T15:06:31.000000');
  assert.is(scan({ host_timeout: '90s' }), '2026-11-20T15:03:01.000000');
});

test.run();
