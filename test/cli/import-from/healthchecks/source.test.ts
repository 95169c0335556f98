import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cronOfCalendar } from '../../../../cli/import-from/healthchecks/on-calendar.ts';
import { read } from '../../../../cli/import-from/healthchecks/source.ts';
import type { Imported } from '../../../../cli/import-from/imported.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { assertAccepted } from '../accepted.ts';

const test = suite('import from Healthchecks');

const ID = '4c1d6d5a-0000-4000-8000-000000000001';

/** Imports checks that have the fields of a response of the API. */
const importChecks = (...checks: readonly object[]): Imported => {
  const whole = checks.map((check) => ({
    name: 'Backup',
    slug: 'backup',
    tags: '',
    desc: '',
    grace: 3_600,
    n_pings: 5,
    status: 'up',
    started: false,
    last_ping: '2026-01-01T00:00:00+00:00',
    next_ping: null,
    manual_resume: false,
    methods: '',
    channels: '',
    uuid: ID,
    ping_url: `https://hc-ping.com/${ID}`,
    timeout: 86_400,
    ...check,
  }));
  const imported = read([{ name: 'checks.json', text: JSON.stringify({ checks: whole }, null, 2) }]);
  assertAccepted(imported);
  return imported;
};

test('a check with a period becomes a heartbeat', () => {
  const { configuration, unmapped } = importChecks({ tags: 'Prod db:Main ünï', timeout: 7_200, grace: 900 });
  assert.equal(configuration.heartbeats, [
    {
      name: 'Backup',
      period_seconds: 7_200,
      grace_seconds: 900,
      max_duration: 900,
      active: true,
      tags: ['db:main', 'prod', 'uni'],
    },
  ]);
  assert.is(unmapped.length, 1);
  assert.match(unmapped[0] ?? '', /new addresses/);
});

test('a check with a cron expression becomes a heartbeat with a schedule', () => {
  const { configuration } = importChecks({ timeout: undefined, schedule: '15 5 * * mon-fri', tz: 'Europe/Riga' });
  const [{ period_seconds, schedule, time_zone } = {} as Record<string, unknown>] = configuration.heartbeats ?? [];
  assert.equal([period_seconds, schedule, time_zone], [undefined, '15 5 * * mon-fri', 'Europe/Riga']);
});

test('calendar expressions become cron expressions where cron has an equivalent', () => {
  const cronOf = (expression: string): string | null => cronOfCalendar(expression)?.schedule ?? null;
  const expected: Readonly<Record<string, string | null>> = {
    daily: '0 0 * * *',
    weekly: '0 0 * * 1',
    '*-*-* 03:00:00': '0 3 * * *',
    '03:30': '30 3 * * *',
    'Mon..Fri *-*-* 10:05': '5 10 * * 1-5',
    'Mon,Wed 8..18:00/15': '0-59/15 8-18 * * 1,3',
    'Sat..Sun': '0 0 * * 6-7',
    '*-*-01,15 00:00': '0 0 1,15 * *',
    '*-1/3-1': '0 0 1 1-12/3 *',
    '*:0/10': '0-59/10 * * * *',
    '*:*:00': '* * * * *',
    '*-*~1 10:00': null,
    '2026-*-* 10:00': null,
    '*-*-* 10:00:30': null,
    'Mon *-*-1..7 10:00': null,
    '10:00\n12:00': null,
    tomorrow: null,
  };
  for (const [expression, cron] of Object.entries(expected)) assert.is(cronOf(expression), cron, expression);
  assert.equal(cronOfCalendar('10:00 Europe/Riga'), { schedule: '0 10 * * *', timeZone: 'Europe/Riga' });
  const { configuration } = importChecks({ timeout: undefined, schedule: 'Mon..Fri 10:00 Asia/Tokyo', tz: 'UTC' });
  assert.is(configuration.heartbeats?.[0]?.['time_zone'], 'Asia/Tokyo');
});

test('a schedule without an equivalent is reported with the closest one', () => {
  for (const schedule of ['0 0 L * *', '0 0 * * 5#2', '*-*~1 10:00']) {
    const { configuration, unmapped } = importChecks({ timeout: undefined, schedule, tz: 'UTC' });
    assert.is(configuration.heartbeats, undefined);
    assert.ok(unmapped.some((sentence) => sentence.includes(schedule) && sentence.includes('period')));
  }
});

test('a paused check becomes an inactive heartbeat', () => {
  assert.is(importChecks({ status: 'paused' }).configuration.heartbeats?.[0]?.['active'], false);
});

test('times outside of the limits are adapted and reported', () => {
  const { configuration, unmapped } = importChecks({ timeout: 31_536_000, grace: 31_536_000, tz: 'Mars/Phobos' });
  const [heartbeat] = configuration.heartbeats ?? [];
  assert.equal([heartbeat?.['period_seconds'], heartbeat?.['grace_seconds']], [7_776_000, 7_776_000]);
  assert.is(unmapped.length, 3);
});

test('an unknown time zone is replaced by UTC and reported', () => {
  const { configuration, unmapped } = importChecks({ timeout: undefined, schedule: '@daily', tz: 'Mars/Phobos' });
  assert.is(configuration.heartbeats?.[0]?.['time_zone'], 'UTC');
  assert.ok(unmapped.some((sentence) => sentence.includes('Mars/Phobos')));
});

test('settings without an equivalent are reported once with the checks that have them', () => {
  const { unmapped } = importChecks(
    { name: 'a', desc: 'See the wiki', methods: 'POST' },
    { name: 'b', desc: 'See the wiki', failure_kw: 'ERROR', manual_resume: true },
  );
  assert.ok(
    unmapped.includes(
      'These checks have a description, which heartbeats lack: "a", "b"; put links into the name or a tag.',
    ),
  );
  assert.is(unmapped.length, 5);
});

test('checks without a name and with equal names get unique names', () => {
  const { configuration } = importChecks({ name: '', slug: '' }, { name: '' }, {}, {});
  assert.equal(
    configuration.heartbeats?.map(({ name }) => name),
    ['Unnamed check', 'backup', 'Backup', 'Backup (2)'],
  );
});

test('integrations are reported with the heartbeats that use them', () => {
  const checks = [
    { name: 'a', timeout: 60, grace: 60, channels: 'one,two' },
    { name: 'b', timeout: 60, grace: 60, channels: 'one' },
  ];
  const files = [{ name: 'checks.json', text: JSON.stringify({ checks }) }];
  assert.ok(
    read(files).unmapped.some((sentence) => sentence.startsWith('The checks name 2 integrations only by their ids;')),
  );
  const channels = [
    { id: 'one', name: 'Operations', kind: 'email' },
    { id: 'two', name: '', kind: 'pd' },
  ];
  const { unmapped } = read([...files, { name: 'channels.json', text: JSON.stringify({ channels }) }]);
  assert.ok(
    unmapped.includes(
      'The integration "Operations" (email) is left out, because the export does not contain its address; create a channel of the type email, and add it to "a", "b".',
    ),
  );
  assert.ok(unmapped.some((sentence) => /\(pd\).*recipe for PagerDuty/.test(sentence)));
});

test('responses of versions 1 and 2, without newer fields, are accepted', () => {
  const { configuration } = read([
    { name: 'v1.json', text: '{"checks": [{"name": "a", "tags": "", "grace": 60, "timeout": 60, "status": "new"}]}' },
  ]);
  assert.is(configuration.heartbeats?.length, 1);
});

test('the addresses of the old pings are in no sentence', () => {
  const { configuration, unmapped } = importChecks({ desc: 'x' });
  assert.not.match(JSON.stringify([configuration, unmapped]), new RegExp(ID));
});

const refusal = (text: string): string => {
  try {
    read([{ name: 'checks.json', text }]);
  } catch (error) {
    assert.instance(error, OperatorError);
    return (error as Error).message;
  }
  throw new Error('The file was not refused.');
};

test('errors name file and line', () => {
  assert.match(refusal('{\n"checks": [}'), /^checks\.json, line 2: /);
  assert.is(
    refusal('{\n"checks": [\n{"name": "a",\n"timeout": "soon"}]}'),
    'checks.json, line 4: timeout must be a whole number.',
  );
  assert.is(refusal('{"checks": {}}'), 'checks.json, line 1: checks must be a list.');
  assert.is(refusal('{"checks": [1]}'), 'checks.json, line 1: 0 of checks must be a mapping.');
  assert.is(refusal('{"checks": []}'), 'checks.json: There are no checks.');
  assert.is(
    refusal('{"error": "wrong api key"}'),
    'checks.json, line 1: The file must be a response of /api/v3/checks/ or /api/v3/channels/.',
  );
  assert.is(refusal('5'), 'checks.json, line 1: The file must be a response of /api/v3/checks/ or /api/v3/channels/.');
  assert.match(refusal('['.repeat(100_000)), /nested values/);
});

test('2,000 checks are imported quickly', () => {
  const { configuration } = importChecks(...Array.from({ length: 2_000 }, (_, index) => ({ name: `job ${index}` })));
  assert.is(configuration.heartbeats?.length, 2_000);
});

test('an odd check or integration is left out with its position, and the others are imported', () => {
  const checks = [null, { name: 'Backup', timeout: 60 }, { name: 'Odd', timeout: 'x' }];
  const text = JSON.stringify({ checks, channels: [{}, 5] });
  const { configuration, unmapped } = read([{ name: 'checks.json', text }]);
  assert.equal(
    configuration.heartbeats?.map(({ name }) => name),
    ['Backup'],
  );
  assert.match(unmapped.join('\n'), /^The check 1 of checks\.json was left out: /m);
  assert.match(unmapped.join('\n'), /^The check 3 of checks\.json was left out: .* timeout must be a whole number\.$/m);
  assert.match(unmapped.join('\n'), /^The integration 1 of checks\.json was left out: .* id is missing\.$/m);
  assert.match(unmapped.join('\n'), /^The integration 2 of checks\.json was left out: /m);
});

test.run();
