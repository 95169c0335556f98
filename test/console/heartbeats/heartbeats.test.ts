import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schemas } from '../../../console/api/openapi.d.ts';
import { bodyOf, draftOf, newDraft } from '../../../console/screens/heartbeat-form/draft.ts';
import { filterOf, LATE, queryOf, withState } from '../../../console/screens/heartbeats/filter.ts';
import { bodyTextOf, summaryOf } from '../../../console/screens/heartbeat/ping-body.ts';
import { expectedTimes, nextLate, problemOf, timesOf } from '../../../console/screens/heartbeats/times.ts';

const test = suite('heartbeats in the console');

const row = (changes: Partial<Schemas['HeartbeatRow']> = {}): Schemas['HeartbeatRow'] => ({
  id: 'beat00000001',
  name: 'Backup',
  period_seconds: 3_600,
  schedule: null,
  time_zone: 'UTC',
  grace_seconds: 600,
  max_duration: null,
  active: true,
  tags: ['eu'],
  managed_by: null,
  status: 'up',
  ping_url: '/v1/heartbeats/beat00000001/ping',
  last_ping_at: '2026-11-20T12:00:00.000000',
  next_expected_ping: '2026-11-20T13:00:00.000000',
  revision: 3,
  created_at: '2026-11-20T11:00:00.000000',
  updated_at: '2026-11-20T11:00:00.000000',
  ...changes,
});

const moment = (text: string): number => Date.parse(`2026-11-20T${text}Z`);
const clocks = (times: readonly number[] | null): string[] | null =>
  times?.map((time) => new Date(time).toISOString().slice(0, 16)) ?? null;

test('the filter line of the heartbeat list is translated to API parameters', () => {
  const filter = filterOf('status:down,grace nightly tag:eu,us status:later  backup tag:No!');
  assert.equal(filter, { statuses: ['down', 'grace'], tags: ['eu', 'us'], text: 'nightly backup' });
  assert.equal(queryOf(filter, LATE), { status: ['down', 'grace'], tag: ['eu', 'us'], name: 'nightly backup' });
  assert.equal(queryOf(filterOf(''), LATE), { status: ['down', 'grace'] });
  assert.is(withState('tag:eu backup', 'down'), 'status:down tag:eu backup');
  assert.is(withState('status:up tag:eu', 'down'), 'status:down tag:eu');
  assert.is(withState('status:down tag:eu', 'down'), 'tag:eu');
});

test('a schedule shows its next five times in its time zone, even across clock changes', () => {
  assert.equal(clocks(timesOf('30 3 * * *', 'Europe/Berlin', moment('12:00:00'))), [
    '2026-11-21T02:30',
    '2026-11-22T02:30',
    '2026-11-23T02:30',
    '2026-11-24T02:30',
    '2026-11-25T02:30',
  ]);
  // Summer time ends between these two times.
  assert.equal(clocks(timesOf('30 3 * * *', 'Europe/Berlin', Date.parse('2026-10-24T00:00:00Z'), 2)), [
    '2026-10-24T01:30',
    '2026-10-25T02:30',
  ]);
  assert.is(timesOf('61 * * * *', 'UTC', 0), null);
  assert.is(timesOf('* * * * *', 'Mars', 0), null);
  assert.match(problemOf('61 * * * *') ?? '', /^The minute "61"/);
  assert.is(problemOf('@daily'), null);
});

test('a period shows its next five times, starting with the expected ping', () => {
  assert.equal(clocks(expectedTimes(row(), moment('12:30:00')))?.slice(0, 2), ['2026-11-20T13:00', '2026-11-20T14:00']);
  assert.equal(clocks(expectedTimes(row(), moment('13:05:00')))?.[0], '2026-11-20T14:00');
  assert.is(expectedTimes(row({ next_expected_ping: null, status: null }), moment('12:30:00')), null);
  assert.is(expectedTimes(row({ active: false }), moment('12:30:00')), null);
  assert.is(expectedTimes(row({ schedule: '0 0 L * *' }), moment('12:30:00')), null);
});

test('the heartbeat list is reloaded when a ping becomes late, and when a late heartbeat goes down', () => {
  assert.is(nextLate([]), null);
  assert.is(nextLate([row({ status: 'down' }), row({ status: null, next_expected_ping: null })]), null);
  const soon = row({ next_expected_ping: '2026-11-20T12:40:00.000000' });
  assert.is(nextLate([row(), soon]), moment('12:40:00'));
  assert.is(nextLate([{ ...soon, status: 'grace' }]), moment('12:50:00'));
});

test('the heartbeat form preserves all fields, and sends either a period or a schedule', () => {
  const draft = draftOf(row(), 'Europe/Berlin');
  assert.equal(bodyOf(draft), {
    name: 'Backup',
    tags: ['eu'],
    active: true,
    period_seconds: 3_600,
    schedule: null,
    grace_seconds: 600,
    max_duration: null,
  });
  const nightly = { ...draft, kind: 'schedule' as const, schedule: ' @daily ', grace_seconds: null };
  const { period_seconds, schedule, time_zone, grace_seconds } = bodyOf(nightly);
  assert.equal([period_seconds, schedule, time_zone, grace_seconds], [null, '@daily', 'Europe/Berlin', 0]);
  const back = draftOf(row({ schedule: '0 4 * * *', time_zone: 'UTC', period_seconds: 86_400 }), 'Europe/Berlin');
  assert.equal([back.kind, back.schedule, back.time_zone], ['schedule', '0 4 * * *', 'UTC']);
  assert.is(newDraft('UTC').kind, 'period');
});

test('the body of a ping is decoded as text', () => {
  assert.is(bodyTextOf({ text: 'no <b>space</b> left' }), 'no <b>space</b> left');
  assert.is(bodyTextOf({ text: 'a', files: 3 }), '{\n  "text": "a",\n  "files": 3\n}');
  assert.is(summaryOf({ text: '\n  exit status 3\nand more' }), 'exit status 3');
  assert.is(summaryOf({ files: 3, ok: true }), '{"files":3,"ok":true}');
  assert.is(summaryOf({ text: '😀'.repeat(100) }), `${'😀'.repeat(80)}…`);
  assert.is(summaryOf({ text: '' }), '…');
});

test.run();
