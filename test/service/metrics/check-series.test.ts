import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelUnavailable, type Read } from '../../../projections/readers.ts';
import { CHECK_METRICS, createCheckSeries, type CheckSeriesOptions } from '../../../service/metrics/check-series.ts';
import { groupCreated, paused } from '../../domain/check-group/examples.ts';
import { checkCreated, checkDeleted, GROUP, parked, recovered, wentDown } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../../queries/engine/scope.ts';

const test = suite('the metrics of checks');

const NOW = Date.parse('2026-11-20T15:01:00Z');
const DAY_MS = 86_400_000;

const organization = (organization_id: string, name: string): Fact => ({
  type: 'OrganizationCreated',
  data: { organization_id, name },
});
const ACME = organization('org000000001', 'Acme');

const checkOf = (
  check_id: string,
  fields: Parameters<typeof checkCreated>[0] = {},
  group: string | null = null,
): Fact => {
  const { type, data } = checkCreated(fields, { group_id: group, position: group === null ? null : 1 });
  return { type, data: { ...data, check_id } };
};
const ran = (check_id: string, fields: Parameters<typeof ranOk>[0] = {}): Fact =>
  ranOk({ check_id, result_id: `result of ${check_id}`, ...fields });
const up = (check_id: string): Fact => recovered({ check_id });

/** Returns the series of checks, without the lines that describe the metrics. */
const seriesOf = async (
  facts: readonly Fact[],
  organizationId: string | null = null,
  options: Partial<CheckSeriesOptions> = {},
): Promise<string[]> => {
  const { read } = scopeOf(facts);
  const text = await createCheckSeries({ read, limit: 100, clock: () => NOW, ...options })(organizationId);
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
};

const daysFromNow = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();

test('a check has a series for its status, its response time and the days until its certificate expires', async () => {
  const tls = { version: 'TLSv1.3', cipher: 'x', not_after: daysFromNow(30), days_left: 30 };
  const labels = 'check="check0000web",name="Shop",type="web",group="Shops",organization="Acme"';
  assert.equal(
    await seriesOf([
      ACME,
      groupCreated(),
      checkOf('check0000web', {}, GROUP),
      ran('check0000web', { response_time: 250, check_metadata: { tls } }),
      up('check0000web'),
    ]),
    [
      `uptrail_check_up{${labels}} 1`,
      `uptrail_check_response_seconds{${labels}} 0.25`,
      `uptrail_check_certificate_days{${labels}} 30`,
      'uptrail_check_series_dropped 0',
    ],
  );
});

test('a check that is down has a series with the value 0, and none for what its run did not measure', async () => {
  const series = await seriesOf([
    ACME,
    checkOf('check0000web'),
    ranDown({ check_id: 'check0000web' }),
    wentDown({ check_id: 'check0000web' }),
  ]);
  assert.equal(
    series.map((line) => line.replace(/\{.*\}/, '')),
    ['uptrail_check_up 0', 'uptrail_check_series_dropped 0'],
  );
});

test('the days until a certificate expires are those of the issuer if it expires first', async () => {
  const not_after = daysFromNow(30);
  const issuer = { subject: 'R11', not_after: daysFromNow(-1.5), days_left: -2 };
  const series = await seriesOf([
    checkOf('check0000ssl', { type: 'ssl', url: null, host: 'shop.example' }),
    checkOf('check0000tcp', { type: 'tcp', url: null, host: 'shop.example', port: 465 }),
    ran('check0000ssl', {
      check_type: 'ssl',
      check_metadata: { certificate_info: { not_after, path: [{ not_after }, { not_after: daysFromNow(7) }] } },
    }),
    ran('check0000tcp', { check_type: 'tcp', check_metadata: { tls: { not_after, issuer_expires_first: issuer } } }),
    up('check0000ssl'),
    up('check0000tcp'),
  ]);
  assert.equal(
    series.flatMap((line) => /^uptrail_check_certificate_days\{check="(\w+)".*\} (.*)$/.exec(line)?.slice(1) ?? []),
    ['check0000ssl', '7', 'check0000tcp', '-1.5'],
  );
});

test('checks that never ran, are inactive, deleted, parked, silent, or in a paused group have no series', async () => {
  const ranAll = ['check0paused', 'check0parked', 'check0grouped', 'check0000001'].flatMap((id) => [ran(id), up(id)]);
  const facts: Fact[] = [
    ACME,
    groupCreated(),
    checkOf('check00never'),
    checkOf('check0paused', { active: false }),
    checkOf('check0parked'),
    checkOf('check0silent', { interval: 30 }),
    checkOf('check0grouped', {}, GROUP),
    checkOf('check0000001'),
    ...ranAll,
    ran('check0silent'),
    up('check0silent'),
    parked({ check_id: 'check0parked' }),
    paused,
    checkDeleted,
  ];
  const recorded_at = '2026-11-20T14:59:30.000000';
  const series = await seriesOf(facts.map((fact): Fact => ({ ...fact, metadata: { recorded_at } })));
  assert.equal(series, ['uptrail_check_series_dropped 0']);
});

test('label values are escaped, so that a name can not add series', async () => {
  const [line] = await seriesOf([
    checkOf('check0000web', { name: 'a"} 1\nup{x="\\' }),
    ran('check0000web'),
    up('check0000web'),
  ]);
  assert.is(
    line,
    'uptrail_check_up{check="check0000web",name="a\\"} 1\\nup{x=\\"\\\\",type="web",group="",organization=""} 1',
  );
});

test('an organization reads the series of its own checks only', async () => {
  const other = checkOf('check0000two', { name: 'Two' });
  const facts = [
    ACME,
    organization(OTHER_ORGANIZATION, 'Other'),
    checkOf('check0000one', { name: 'One' }),
    { ...other, data: { ...other.data, organization_id: OTHER_ORGANIZATION } } as Fact,
    ran('check0000one'),
    ran('check0000two', { organization_id: OTHER_ORGANIZATION }),
    up('check0000one'),
    up('check0000two'),
  ];
  const namesFor = async (organizationId: string | null): Promise<string[]> =>
    (await seriesOf(facts, organizationId)).flatMap((line) => /_up\{.*name="(\w+)"/.exec(line)?.slice(1) ?? []);
  assert.equal(await namesFor('org000000001'), ['One']);
  assert.equal(await namesFor(OTHER_ORGANIZATION), ['Two']);
  assert.equal(await namesFor(null), ['One', 'Two']);
});

test('checks beyond the limit have no series and are counted', async () => {
  const ids = Array.from({ length: 7 }, (_, index) => `check000000${index}`);
  const facts = ids.flatMap((id) => [checkOf(id), ran(id), up(id)]);
  const found = async (limit: number): Promise<[number, string | undefined]> => {
    const series = await seriesOf(facts, null, { limit });
    return [series.filter((line) => line.startsWith('uptrail_check_up')).length, series.at(-1)];
  };
  assert.equal(await found(7), [7, 'uptrail_check_series_dropped 0']);
  assert.equal(await found(6), [6, 'uptrail_check_series_dropped 1']);
  assert.equal(await found(2), [2, 'uptrail_check_series_dropped 5']);
});

test('simultaneous scrapes share one read, and nothing is read between scrapes', async () => {
  const scope = scopeOf([checkOf('check0000web'), ran('check0000web'), up('check0000web')]);
  const describe = createCheckSeries({ read: scope.read, limit: 10, clock: () => NOW });
  assert.equal(scope.reads, []);
  const [one, other] = await Promise.all([describe(null), describe(null)]);
  assert.is(one, other);
  const { length } = scope.reads;
  await describe(null);
  assert.is(scope.reads.length, 2 * length);
});

test('a scrape has no metrics of checks if they can not be read, or not in time', async () => {
  const failing: Read = () => {
    throw new ReadModelUnavailable('checks');
  };
  const hanging = (() => ({ checks: { pick: () => new Promise(() => undefined) } })) as unknown as Read;
  const options = { limit: 1, clock: () => NOW };
  assert.is(await createCheckSeries({ ...options, read: failing })(null), '');
  assert.is(await createCheckSeries({ ...options, read: hanging, timeout: 1 })(null), '');
});

test('every metric of checks is described before its series', async () => {
  const text = await createCheckSeries({ read: scopeOf([]).read, limit: 1, clock: () => NOW })(null);
  assert.equal(
    [...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name),
    CHECK_METRICS,
  );
});

test.run();
