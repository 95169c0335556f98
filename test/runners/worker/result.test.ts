import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { regionOf } from '../../../domain/check/regions.ts';
import { instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { resultEvent, resultIdOf, subjectOf } from '../../../runners/worker/result.ts';
import { SERVER } from '../../domain/check-result/examples.ts';
import { bad, good, message, START } from './stage.ts';

const test = suite('the event that stores an outcome');

const region = regionOf('EU, West');
if (!region) throw new Error('There is no such region.');

/** Returns the event for a run that was due at START. */
const stored = (now: number, ranAt?: number, outcome = good) => {
  const recording = { resultId: resultIdOf('run000000001', region), region, server: SERVER, now };
  const more = { outdated: false, suspect: false, ...(ranAt !== undefined && { ranAt }) };
  return resultEvent('run000000001', subjectOf(message()), outcome, { ...recording, ...more });
};

test('a stored result contains the time of its run if that time is known, but the recording time determines whether the result is late', () => {
  const { data, metadata } = stored(START + 10 * MINUTE_MS, START + 1_000);
  assert.is('ran_at' in data && data.ran_at, instantOf(START + 1_000));
  assert.is('late' in data && data.late, true);
  assert.is(metadata.recorded_at, instantOf(START + 10 * MINUTE_MS));
});

test('a stored result is not late if it is recorded in time, no matter when the run took place', () => {
  const { data } = stored(START + 3_000, START + 1_000, bad);
  assert.is('ran_at' in data && data.ran_at, instantOf(START + 1_000));
  assert.not('late' in data);
});

test('a stored result does not contain the time of its run if that time is unknown', () => {
  assert.not('ran_at' in stored(START + 1_000).data);
});

test('the time of the run in a stored result is never after the recording time', () => {
  const { data } = stored(START + 1_000, START + 10 * MINUTE_MS);
  assert.is('ran_at' in data && data.ran_at, instantOf(START + 1_000));
});

test.run();
