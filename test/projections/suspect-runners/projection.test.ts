import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suspectRunners } from '../../../projections/suspect-runners/projection.ts';
import { ranDown, ranOk, SERVER } from '../../domain/check-result/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of runners that are cut off');

const at = (clock: string) => ({ metadata: { recorded_at: `2026-11-20T${clock}.000000` } });
const suspect = (clock: string): Fact => ({ ...ranDown({ suspect: true, result_id: clock }), ...at(clock) });
const good = (clock: string): Fact => ({ ...ranOk({ result_id: clock }), ...at(clock) });

const after = async (...facts: Fact[]) => {
  const runner = await projection(suspectRunners)
    .given(...facts)
    .document('suspect_runners', SERVER.id);
  return runner && [runner.suspect, runner.since.slice(11, 19), runner.changed_position];
};

test('a runner counts as cut off from its first suspect result until a minute after its newest suspect result', async () => {
  assert.is(await after(good('15:00:00')), null);
  const begun = [good('15:00:00'), suspect('15:00:10'), suspect('15:00:20')];
  assert.equal(await after(...begun), [true, '15:00:10', 20]);
  assert.equal(await after(...begun, good('15:01:19')), [true, '15:00:10', 20]);
  assert.equal(await after(...begun, good('15:01:20')), [false, '15:00:10', 40]);
  assert.equal(await after(...begun, good('15:01:20'), suspect('15:05:00')), [true, '15:05:00', 50]);
});

test('a runner does not stay cut off because a clock was ahead for a while', async () => {
  assert.equal(await after(suspect('18:00:00'), good('15:00:00')), [false, '18:00:00', 20]);
});

test('late results of a remote runner do not affect its present state', async () => {
  const delivered = (fact: ReturnType<typeof ranOk>, clock: string): Fact => ({
    ...fact,
    data: { ...fact.data, result_id: clock, late: true, ran_at: '2026-11-20T14:50:00.000000' },
    ...at(clock),
  });
  assert.is(await after(delivered(ranDown({ suspect: true }), '15:00:00')), null);
  const begun = [suspect('15:00:10'), delivered(ranOk(), '15:05:00')];
  assert.equal(await after(...begun), [true, '15:00:10', 10]);
  assert.equal(await after(...begun, good('15:05:01')), [false, '15:00:10', 30]);
});

test.run();

projectionRules(suspectRunners, [good('15:00:00'), suspect('15:00:10'), good('15:01:20')]);
