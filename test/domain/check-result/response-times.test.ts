import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  countOf,
  mergeResponseTimes,
  percentileOf,
  withTime,
  type ResponseTimes,
} from '../../../domain/check-result/response-times.ts';

const test = suite('a histogram of response times');

const histogramOf = (...times: number[]): ResponseTimes => times.reduce<ResponseTimes>(withTime, []);

test('a histogram without response times has no percentiles', () => {
  assert.is(percentileOf([], 0.95), null);
  assert.is(countOf([]), 0);
});

test('a histogram distinguishes each millisecond below 128 ms', () => {
  for (let time = 0; time < 128; time++) assert.is(percentileOf(histogramOf(time), 0.5), time);
});

test('a histogram reproduces response times within 0.8 %, up to the longest timeout', () => {
  for (let time = 128; time <= 130_000; time += 7) {
    const read = percentileOf(histogramOf(time), 1) ?? 0;
    assert.ok(Math.abs(read - time) / time < 0.008, `${time} was read as ${read}`);
  }
});

test('a longer response time is never in an earlier bucket than a shorter response time', () => {
  let last = -1;
  for (let time = 0; time < 130_000; time++) {
    const [bucket = 0] = histogramOf(time);
    assert.ok(bucket === last || bucket === last + 1, `${time} stands in ${bucket} after ${last}`);
    last = bucket;
  }
});

test('a percentile is the response time that the given share does not exceed', () => {
  const hundred = histogramOf(...Array.from({ length: 100 }, (_, index) => index + 1));
  assert.is(percentileOf(hundred, 0.95), 95);
  assert.is(percentileOf(hundred, 0.99), 99);
  assert.is(percentileOf(hundred, 1), 100);
  assert.is(percentileOf(histogramOf(5, 5, 5, 90), 0.75), 5);
  assert.is(percentileOf(histogramOf(5, 5, 5, 90), 0.76), 90);
});

test('merged histograms equal the histogram of all response times', () => {
  const times = [3, 900, 17, 3, 60_000, 128, 127, 900];
  assert.equal(
    mergeResponseTimes([histogramOf(...times.slice(0, 3)), histogramOf(), histogramOf(...times.slice(3))]),
    histogramOf(...times),
  );
  assert.is(countOf(histogramOf(...times)), times.length);
});

test.run();
