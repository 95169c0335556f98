import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkActivity } from '../../../projections/check-activity/projection.ts';
import { CHECK, LATER_SLOT } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import { answeredDown, answeredOk } from '../../domain/execution-group/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('when a check ran last');
const activity = projection(checkActivity);

const lastAfter = async (...facts: Fact[]): Promise<string | undefined> =>
  (await activity.given(...facts).document('check_activity', CHECK))?.last_checked_at;

test('is when its newest result was recorded', async () => {
  const newer = ranDown({ slot: LATER_SLOT, result_id: 'result000002' });
  assert.is(await lastAfter(ranOk(), newer), '2026-11-20T15:00:01.000000');
  const before = { ...ranOk(), metadata: { recorded_at: '2026-11-20T15:01:30.000000' } };
  const after = { ...newer, metadata: { recorded_at: '2026-11-20T15:01:31.000000' } };
  assert.is(await lastAfter(after, before), '2026-11-20T15:01:31.000000');
});

test('does not go back when workers store in another order, nor when a result stands in the log again', async () => {
  const recorded = (result_id: string, slot: string, at: string): Fact => ({
    ...ranOk({ result_id, slot: `2026-11-20T${slot}.000000` }),
    metadata: { recorded_at: `2026-11-20T${at}.000000` },
  });
  const first = recorded('result000001', '15:00:00', '15:00:01');
  const second = recorded('result000002', '15:00:00', '15:00:02');
  const onDemand = recorded('result000003', '15:00:03', '15:00:04');
  const next = recorded('result000004', '15:05:00', '15:05:01');
  assert.is(await lastAfter(onDemand, second, first), '2026-11-20T15:00:04.000000');
  assert.is(await lastAfter(second, first, onDemand, first), '2026-11-20T15:00:04.000000');
  assert.is(await lastAfter(second, first, next, first), '2026-11-20T15:05:01.000000');
});

test('goes back with a clock that was two days ahead for a while', async () => {
  const ahead = {
    ...ranOk({ slot: '2026-11-22T15:00:00.000000', result_id: 'result000002' }),
    metadata: { recorded_at: '2026-11-22T15:00:00.100000' },
  };
  assert.is(await lastAfter(ahead, ranDown()), '2026-11-20T15:00:01.000000');
});

test('does not count a run on demand whose check was changed meanwhile', async () => {
  assert.is(await lastAfter(ranOk({ outdated: true })), undefined);
});

test('does not count a suspect result', async () => {
  assert.is(await lastAfter(ranDown({ suspect: true })), undefined);
});

test('counts every region of a parallel run, but no result that is late', async () => {
  const two = [answeredOk('EU, West'), answeredDown('RU, Moscow')];
  assert.is(await lastAfter(...two), '2026-11-20T15:00:01.000000');
  assert.is(await lastAfter(...two, answeredOk('IN, Mumbai', { late: true })), '2026-11-20T15:00:01.000000');
  assert.is(await lastAfter(answeredOk('IN, Mumbai', { late: true })), undefined);
});

test.run();

projectionRules(checkActivity, [ranOk(), ranDown({ slot: LATER_SLOT, result_id: 'result000002' }), ranOk()]);
