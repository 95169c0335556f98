import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { laneSetByHand, type Lane } from '../../../domain/uptime/lane.ts';
import { partsIn, type TimelinePart } from '../../../domain/uptime/parts.ts';
import { measureTimeline } from '../../../domain/uptime/intervals.ts';
import { phasesOf } from '../../../domain/uptime/timeline.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import { HOUR_MS } from '../../../domain/time.ts';

const test = suite('the status of a component in the parts of a period');

const START = Date.parse('2026-11-20T00:00:00Z');
const instant = (hour: number): string => `${new Date(START + hour * HOUR_MS).toISOString().slice(0, -1)}000`;
const edits = (...statuses: (readonly [hour: number, status: ComponentStatus])[]): Lane[] =>
  statuses.map(([hour, status], index) =>
    laneSetByHand('edit', instant(hour), index.toString().padStart(6, '0'), status),
  );

const hours = (count: number): number[] => Array.from({ length: count }, (_, index) => START + index * HOUR_MS);
const parts = (lanes: Lane[], starts: number[], from: number, to: number): TimelinePart[] => {
  const steps = partsIn(phasesOf(lanes), starts, from, to);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

test('each part of a timeline has the worst status and the duration of each status', () => {
  const lanes = edits([0.5, 'degraded_performance'], [1.5, 'major_outage'], [1.75, 'operational']);
  const [first, second, third] = parts(lanes, hours(3), START, START + 3 * HOUR_MS);
  assert.equal(first, {
    total: HOUR_MS,
    major: 0,
    partial: 0,
    degraded: HOUR_MS / 2,
    leftOut: 0,
    worst: 'degraded_performance',
  });
  assert.is(second?.worst, 'major_outage');
  assert.is(second?.major, HOUR_MS / 4);
  assert.is(second?.degraded, HOUR_MS / 2);
  assert.is(third?.worst, 'operational');
});

test('parts of a timeline have no data before the component existed or in the future', () => {
  const [before, partly, last] = parts([], hours(3), START + 1.5 * HOUR_MS, START + 2.25 * HOUR_MS);
  assert.is(before?.total, 0);
  assert.is(partly?.total, HOUR_MS / 2);
  assert.is(last?.total, HOUR_MS / 4);
});

test('parts of a timeline leave out maintenance', () => {
  const [part] = parts(edits([0.5, 'under_maintenance']), hours(1), START, START + HOUR_MS);
  assert.is(part?.total, HOUR_MS / 2);
  assert.is(part?.leftOut, HOUR_MS / 2);
  assert.is(part?.worst, 'under_maintenance');
});

test('parts of a timeline continue after a day that the time zone skips', () => {
  const lanes = edits([0.5, 'major_outage'], [2.5, 'operational']);
  const [before, skipped, after] = parts(lanes, [START, START + HOUR_MS, START + HOUR_MS], START, START + 3 * HOUR_MS);
  assert.equal([before?.total, before?.major], [HOUR_MS, HOUR_MS / 2]);
  assert.equal([skipped?.total, skipped?.worst], [0, 'operational']);
  assert.equal([after?.total, after?.major], [2 * HOUR_MS, 1.5 * HOUR_MS]);
});

test('parts of a timeline add up to the measured uptime for random events', () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round++) {
    const statuses = Array.from({ length: random(12) }, () => random(30 * 60) / 60)
      .sort((a, b) => a - b)
      .map((hour) => [hour, COMPONENT_STATUSES[random(5)] ?? 'operational'] as const);
    const lanes = edits(...statuses);
    const from = START + random(10) * HOUR_MS;
    const to = START + (10 + random(20)) * HOUR_MS;
    const found = parts(lanes, hours(24), from, to);
    const phases = phasesOf(lanes);
    for (const [index, { total, major, partial }] of found.entries()) {
      const begin = Math.max(from, START + index * HOUR_MS);
      const end = index === 23 ? to : Math.min(to, START + (index + 1) * HOUR_MS);
      assert.equal({ total, major, partial }, measureTimeline(phases, begin, end));
    }
  }
});

test.run();
