import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventOf } from '../../../domain/event-types.ts';
import {
  countedResults,
  dueAt,
  isGood,
  startedGroup,
  statisticsOf,
  timedOut,
  withResult,
  type ExecutionGroup,
} from '../../../domain/execution-group/state.ts';
import { reportedDown, reportedOk, groupStarted, TIMEOUT_AT } from './examples.ts';

const test = suite('an execution group');

const CREATED = '2026-11-20T15:00:30.000000';
const ANSWERED = '2026-11-20T15:00:31.000000';

/** Returns the group after the given results, each recorded a moment after the previous one. */
const after = (...results: EventOf<'CheckRunCompleted'>[]): ExecutionGroup =>
  results.reduce((group, { data }) => withResult(group, data, ANSWERED), startedGroup(groupStarted().data, CREATED));

const line = ({ status, regional_results }: ExecutionGroup): string =>
  [status, ...regional_results.map((result) => `${result.region}: ${result.status}`)].join('; ');

test('an execution group runs until all of its regions have reported', () => {
  assert.is(line(after()), 'running');
  const some = after(reportedOk('EU, West'), reportedOk('RU, Moscow'));
  assert.is(line(some), 'running; RU, Moscow: ok; EU, West: ok');
  assert.is(some.completed_at, null);
  const all = withResult(some, reportedDown('IN, Mumbai').data, '2026-11-20T15:00:40.000000');
  assert.is(line(all), 'completed; RU, Moscow: ok; EU, West: ok; IN, Mumbai: failed');
  assert.is(all.completed_at, '2026-11-20T15:00:40.000000');
});

test("an execution group shows the time of each region's run, and ends when the last result is recorded", () => {
  const ran_at = '2026-11-20T15:00:29.000000';
  const some = after(reportedOk('EU, West'), reportedOk('RU, Moscow', { ran_at }));
  assert.equal(
    some.regional_results.map(({ created_at }) => created_at),
    [ran_at, ANSWERED],
  );
  const all = withResult(some, reportedOk('IN, Mumbai', { ran_at }).data, '2026-11-20T15:00:40.000000');
  assert.is(all.completed_at, '2026-11-20T15:00:40.000000');
});

test('an execution group ends when its last region has reported, whatever the order of results in the log', () => {
  const [early, late] = ['2026-11-20T15:00:35.000000', '2026-11-20T15:00:40.000000'];
  const some = withResult(after(reportedOk('EU, West')), reportedOk('RU, Moscow').data, late);
  assert.is(withResult(some, reportedOk('IN, Mumbai').data, early).completed_at, late);
});

test('an execution group distinguishes a timeout of the target from other failures', () => {
  assert.is(line(after(reportedDown('EU, West', { reason: 'timeout' }))), 'running; EU, West: timeout');
});

test('an execution group counts a suspect result as no result of its region', () => {
  const suspect = { suspect: true } as const;
  const some = after(reportedOk('EU, West'), reportedDown('IN, Mumbai', suspect));
  assert.is(some.regional_results[1]?.result_id, null);
  const all = withResult(some, reportedOk('RU, Moscow').data, ANSWERED);
  assert.is(line(all), 'timeout; RU, Moscow: ok; EU, West: ok; IN, Mumbai: timeout');
  assert.is(isGood(all), true);
  const none = after(
    reportedDown('EU, West', suspect),
    reportedDown('IN, Mumbai', suspect),
    reportedDown('RU, Moscow', suspect),
  );
  assert.is(none.status, 'failed');
  assert.is(isGood(none), null);
  assert.is(timedOut(after(reportedDown('EU, West', suspect))).status, 'failed');
});

test('an execution group times out if only some regions have reported by its deadline, and the other regions have the status timeout', () => {
  const ended = timedOut(after(reportedOk('EU, West')));
  assert.is(line(ended), 'timeout; RU, Moscow: timeout; EU, West: ok; IN, Mumbai: timeout');
  assert.is(ended.completed_at, TIMEOUT_AT);
  assert.equal(ended.regional_results[0], {
    result_id: null,
    region: 'RU, Moscow',
    status: 'timeout',
    response_time: null,
    error_message: 'The region reported no result in time.',
    created_at: TIMEOUT_AT,
  });
});

test('an execution group ends without the regions that had no live runner when it began', () => {
  const begun = startedGroup(groupStarted({ unserved: ['IN, Mumbai'] }).data, CREATED);
  const one = withResult(begun, reportedDown('EU, West').data, ANSWERED);
  assert.is(one.status, 'running');
  const ended = withResult(one, reportedOk('RU, Moscow').data, ANSWERED);
  assert.is(line(ended), 'timeout; RU, Moscow: ok; EU, West: failed; IN, Mumbai: timeout');
  assert.is(ended.completed_at, ANSWERED);
  assert.is(ended.regional_results[2]?.error_message, 'No runner serves its region.');
  assert.is(withResult(ended, reportedOk('IN, Mumbai').data, ANSWERED), ended);
});

test('an execution group counts the result of a region that got its first runner after the run had begun', () => {
  const begun = startedGroup(groupStarted({ unserved: ['IN, Mumbai'] }).data, CREATED);
  const one = withResult(begun, reportedDown('IN, Mumbai').data, ANSWERED);
  const two = withResult(one, reportedOk('EU, West').data, ANSWERED);
  const all = withResult(two, reportedOk('RU, Moscow').data, ANSWERED);
  assert.is(line(all), 'completed; RU, Moscow: ok; EU, West: ok; IN, Mumbai: failed');
});

test('a region without a live runner at the deadline counts neither as up nor as down', () => {
  const ended = timedOut(after(reportedOk('EU, West')), ['IN, Mumbai']);
  assert.is(line(ended), 'timeout; RU, Moscow: timeout; EU, West: ok; IN, Mumbai: timeout');
  assert.equal(
    countedResults(ended, ended.regional_results).map(({ region }) => region),
    ['RU, Moscow', 'EU, West'],
  );
});

test('an execution group fails if no region reported', () => {
  assert.is(timedOut(after()).status, 'failed');
});

test('an execution group ignores repeated, late and unrequested results, and does not change after its end', () => {
  const one = after(reportedOk('EU, West'));
  assert.is(withResult(one, reportedDown('EU, West').data, ANSWERED), one);
  assert.is(withResult(one, reportedOk('RU, Moscow', { late: true }).data, ANSWERED), one);
  assert.is(withResult(one, reportedOk('CN, Hong Kong').data, ANSWERED), one);
  const ended = timedOut(one);
  assert.is(withResult(ended, reportedOk('RU, Moscow').data, ANSWERED), ended);
  assert.is(timedOut(ended), ended);
});

test('an execution group counts successful and failed regions and has the available response times', () => {
  const group = after(reportedOk('EU, West', { response_time: 10 }), reportedOk('RU, Moscow', { response_time: 21 }));
  assert.equal(statisticsOf(timedOut(group)), {
    total_executions: 3,
    completed_executions: 2,
    failed_executions: 1,
    avg_response_time: 16,
    min_response_time: 10,
    max_response_time: 21,
  });
  assert.equal(statisticsOf(after()), {
    total_executions: 3,
    completed_executions: 0,
    failed_executions: 0,
    avg_response_time: null,
    min_response_time: null,
    max_response_time: null,
  });
});

test('an execution group is successful if at least half of the reporting regions were successful', () => {
  assert.is(isGood(after(reportedOk('EU, West'), reportedDown('RU, Moscow'))), true);
  assert.is(isGood(after(reportedOk('EU, West'), reportedDown('RU, Moscow'), reportedDown('IN, Mumbai'))), false);
  assert.is(isGood(timedOut(after(reportedOk('EU, West')))), true);
  assert.is(isGood(timedOut(after())), null);
});

test('an execution group ends a second after its deadline, so that results recorded in time are stored', () => {
  assert.is(dueAt(after()), '2026-11-20T15:01:11.000000');
});

test.run();
