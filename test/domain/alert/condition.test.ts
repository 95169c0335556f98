import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMetAt, metSince, type RuleCondition } from '../../../domain/alert/condition.ts';
import type { RegionOutcome, PastRun, Streaks } from '../../../domain/alert/evaluation-inputs.ts';

const test = suite('alert conditions in several regions');

type Counting = Pick<RuleCondition, 'multi_region_mode' | 'multi_region_threshold'>;

const any: Counting = { multi_region_mode: 'any_region', multi_region_threshold: null };
const most: Counting = { multi_region_mode: 'majority', multi_region_threshold: null };
const all: Counting = { multi_region_mode: 'all_regions', multi_region_threshold: null };
const atLeast = (count: number): Counting => ({
  multi_region_mode: 'specific_count',
  multi_region_threshold: { count },
});

const at = (minute: number): string => `2026-11-20T15:${minute.toString().padStart(2, '0')}:00.000000`;

/** Returns runs with the given results of regions, newest first, a minute apart. */
const runs = (...answers: readonly RegionOutcome[][]): PastRun[] =>
  answers.map((regions, index) => ({ id: `run ${index}`, at: at(30 - index), answers: regions }));

const watched = (pastRuns: readonly PastRun[], earlier: Streaks | null = null) => ({
  runs: pastRuns,
  earlier,
  window: { ok: 0, all: 0, from: at(0) },
});

/** Returns whether a condition is met in the newest run, for each mode of counting regions. */
const holds = (
  rule: Pick<RuleCondition, 'condition' | 'condition_parameters'>,
  counting: readonly Counting[],
  newest: readonly PastRun[],
  earlier: Streaks | null = null,
): boolean[] => counting.map((one) => isMetAt({ ...rule, ...one }, watched(newest, earlier), 0));

const failed = { condition: 'check_failed', condition_parameters: {} } as const;

test('an alert condition is met in any region, in most regions, in all regions, or in the required number of regions', () => {
  const counting = [any, atLeast(2), most, atLeast(3), all];
  const heldBy = (...answers: RegionOutcome[]) => holds(failed, counting, runs(answers));
  assert.equal(heldBy(80, 90, 70, null), [false, false, false, false, false]);
  assert.equal(heldBy('bad', 90, 70, 80), [true, false, false, false, false]);
  // Exactly half of the regions are not a majority.
  assert.equal(heldBy('bad', 'bad', 70, 80), [true, true, false, false, false]);
  assert.equal(heldBy('bad', 'timeout', 'silent', 80), [true, true, true, true, false]);
  assert.equal(heldBy('bad', 'bad', 'bad', 'bad'), [true, true, true, true, true]);
});

test('an alert condition counts a region without a result as timed out', () => {
  const timeout = { condition: 'check_timeout', condition_parameters: {} } as const;
  assert.equal(holds(timeout, [any, most, all], runs(['timeout', 'silent', 'bad'])), [true, true, false]);
  assert.equal(holds(timeout, [any], runs(['bad', 'bad', 80])), [false]);
});

test('an alert condition on slow responses counts only regions with a successful but slow response', () => {
  const degraded = { condition: 'check_degraded', condition_parameters: { response_time: 100 } } as const;
  assert.equal(holds(degraded, [any, most, all], runs([101, 250, 'bad'])), [true, true, false]);
  assert.equal(holds(degraded, [any], runs([100, null, 'bad'])), [false]);
});

test('an alert condition on consecutive runs requires the number of regions in each run, whichever regions they are', () => {
  const three = { condition: 'consecutive_failures', condition_parameters: { count: 3 } } as const;
  const changing = runs(['bad', 80, 80], [80, 'bad', 'bad'], [80, 'bad', 80]);
  assert.equal(holds(three, [any, atLeast(2), most, all], changing), [true, false, false, false]);
  const two = runs(['bad', 'bad', 80], [80, 'bad', 'timeout'], ['silent', 80, 'bad']);
  assert.equal(holds(three, [any, atLeast(2), most, all], two), [true, true, true, false]);
});

test('an alert condition also counts older consecutive failures of which only the number is stored', () => {
  const four = { condition: 'consecutive_failures', condition_parameters: { count: 4 } } as const;
  const newest = runs(['bad', 'bad', 'bad']);
  const earlier = { least: [5, 3, 1], majority: 3, all: 1, ended: [] };
  assert.equal(holds(four, [any, atLeast(2), most, atLeast(3), all], newest, earlier), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('an alert condition has been met since the oldest of the consecutive runs that meet it', () => {
  const history = watched(runs(['bad', 'bad', 80], ['bad', 80, 'bad'], ['bad', 80, 80], ['bad', 'bad', 'bad']));
  assert.is(metSince({ ...failed, ...most }, history), at(29));
  assert.is(metSince({ ...failed, ...any }, history), at(27));
});

test.run();
