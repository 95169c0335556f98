import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { hourlyResponseTimes } from '../../../queries/pages/hourly-response-times.ts';
import {
  findChecksOfTags,
  readMeasurementsOfTags,
  MAX_TAGGED_CHECKS,
} from '../../../queries/pages/tag-measurements.ts';
import { checkCreated } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('measurements of checks with a tag');

const NOW = Date.parse('2026-11-20T16:20:00Z');
const now = instantOf(NOW);
const ago = (milliseconds: number): string => instantOf(NOW - milliseconds);
const idOf = (number: number): string => `check${number.toString().padStart(7, '0')}`;

const check = (number: number, tags: string[], fields: object = {}): Fact => {
  const { type, data } = checkCreated({ tags });
  return { type, data: { ...data, check_id: idOf(number), ...fields }, stream: `check-${idOf(number)}` };
};

let results = 0;
const ran = (number: number, recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}, run = ranOk): Fact => {
  const id = (++results).toString().padStart(6, '0');
  const { type, data } = run({ check_id: idOf(number), result_id: `result${id}`, run_id: `run${id}`, ...fields });
  return { type, data, metadata: { recorded_at } };
};

const FRANKFURT = { region: 'EU, Frankfurt' };

test('measurements of a tag add up the results of its checks by region, since the start of the previous hour', async () => {
  const scope = scopeOf(
    [
      check(1, ['prod']),
      check(2, ['eu', 'prod']),
      check(3, ['eu']),
      ran(1, ago(90 * MINUTE_MS)),
      ran(1, ago(70 * MINUTE_MS)),
      ran(1, ago(MINUTE_MS), {}, ranDown),
      ran(2, ago(MINUTE_MS)),
      ran(2, ago(MINUTE_MS), FRANKFURT),
      ran(3, ago(MINUTE_MS), FRANKFURT),
    ],
    { now },
  );
  const { since, byTag } = await readMeasurementsOfTags(scope, ['prod', 'eu', 'us']);
  assert.is(since, '2026-11-20T15:00:00.000000');
  assert.equal(byTag.get('prod'), [
    { ...FRANKFURT, runs: 1, failed: 0 },
    { region: 'RU, Moscow', runs: 3, failed: 1 },
  ]);
  assert.equal(byTag.get('eu'), [
    { ...FRANKFURT, runs: 2, failed: 0 },
    { region: 'RU, Moscow', runs: 1, failed: 0 },
  ]);
  assert.equal(byTag.get('us'), []);
});

test('measurements of an empty list of tags read nothing', async () => {
  const scope = scopeOf([check(1, ['prod'])], { now });
  await readMeasurementsOfTags(scope, []);
  assert.equal(scope.reads, []);
});

test('measurements of a tag exclude deleted checks and checks of other organizations and tags', async () => {
  const scope = scopeOf(
    [
      check(1, ['prod']),
      check(2, ['prod'], { organization_id: OTHER_ORGANIZATION }),
      check(3, ['prod-2']),
      check(4, ['prod']),
      { type: 'CheckDeleted', data: { check_id: idOf(4) }, stream: `check-${idOf(4)}` },
    ],
    { now },
  );
  assert.equal([...(await findChecksOfTags(scope, ['prod']))], [['prod', [idOf(1)]]]);
});

test('measurements of tags cover at most 1,000 checks for all tags together, in the order of the tags', async () => {
  const facts = Array.from({ length: MAX_TAGGED_CHECKS + 2 }, (_, n) =>
    check(n, n < 2 ? ['first', 'last'] : ['all', 'last']),
  );
  const scope = scopeOf(facts, { now });
  const found = await findChecksOfTags(scope, ['first', 'all', 'last']);
  assert.equal(
    [...found].map(([tag, ids]) => [tag, ids.length]),
    [
      ['first', 2],
      ['all', MAX_TAGGED_CHECKS - 2],
    ],
  );
  assert.equal((await findChecksOfTags(scope, ['first', 'last'])).get('last')?.length, MAX_TAGGED_CHECKS);
});

test('the hourly response times of a tag are averages over all runs of its checks', async () => {
  const scope = scopeOf(
    [
      check(1, ['prod']),
      check(2, ['prod']),
      ran(1, ago(2 * HOUR_MS), { response_time: 100 }),
      ran(2, ago(2 * HOUR_MS), { response_time: 40 }),
      ran(2, ago(2 * HOUR_MS), { response_time: 40, ...FRANKFURT }),
      ran(2, ago(MINUTE_MS), { response_time: 20 }),
    ],
    { now },
  );
  const { points, average, p95 } = await hourlyResponseTimes(scope, [idOf(1), idOf(2)], 3);
  assert.equal(points, [
    { average: 60, p95: 100 },
    { average: null, p95: null },
    { average: 20, p95: 20 },
  ]);
  assert.equal([average, p95], [50, 100]);
  const none = await hourlyResponseTimes(scope, [], 3);
  assert.equal([none.average, none.points.length], [null, 3]);
});

test('the response times of a tag with many checks cover only the newest hours', async () => {
  const checks = Array.from({ length: MAX_TAGGED_CHECKS }, (_, n) => n);
  const averages = async (regions: number): Promise<(number | null)[]> => {
    const facts = [0, 1, 2, 3].flatMap((hours) =>
      checks.flatMap((n) =>
        Array.from({ length: regions }, (_, region) =>
          ran(n, ago(hours * HOUR_MS), { response_time: 10 * hours, region: region.toString() }),
        ),
      ),
    );
    const { points } = await hourlyResponseTimes(scopeOf(facts, { now }), checks.map(idOf), 72);
    return points.map(({ average }) => average);
  };
  assert.equal(await averages(2), [20, 10, 0]);
  assert.equal(await averages(7), [10, 0]);
});

test.run();
