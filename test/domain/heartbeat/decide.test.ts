import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addChannels,
  createHeartbeat,
  deleteHeartbeat,
  removeChannel,
  updateHeartbeat,
} from '../../../domain/heartbeat/decide.ts';
import { heartbeatDecider } from '../../../domain/heartbeat/state.ts';
import { expectedAfter, expectedByPing, shortestPeriodOf } from '../../../domain/heartbeat/expectation.ts';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { specification } from '../specification.ts';
import { at, created, fields, HEARTBEAT, NOON, timing, updated, wentDown } from './examples.ts';

const heartbeat = specification(heartbeatDecider);
const test = suite('a heartbeat');

test('a heartbeat consists of the given fields and defaults', () => {
  heartbeat
    .given()
    .when((state) =>
      createHeartbeat(state, HEARTBEAT, { name: 'Backup', period_seconds: 3_600, grace_seconds: 600 }, NOON),
    )
    .then(created());
});

test('a heartbeat has either a period or a valid schedule', () => {
  for (const wrong of [
    { period_seconds: null },
    { schedule: '* * * * *' },
    { period_seconds: null, schedule: 'every day' },
    { period_seconds: null, schedule: '0 0 31 2 *' },
    { period_seconds: null, schedule: '0 0 0 1 1 *' },
    { period_seconds: null, schedule: '2027-01-24T00:00:00' },
  ]) {
    heartbeat
      .given(created())
      .when((state) => updateHeartbeat(state, wrong, NOON))
      .throws(Invalid);
  }
});

test('a heartbeat keeps a schedule with characters unknown to cron if an earlier release accepted the schedule', () => {
  const former = created({ period_seconds: null, schedule: '0 0 L * *' });
  for (const schedule of ['0 0 L * *', '0 0 15W * *', '0 0 * * 1#2', '0 0 * * +1', '0 0 ? * *', '5/15 * * * *']) {
    heartbeat
      .given(created())
      .when((state) => updateHeartbeat(state, { period_seconds: null, schedule }, NOON))
      .throws(Invalid);
  }
  heartbeat
    .given(former)
    .when((state) => updateHeartbeat(state, { grace_seconds: 60, schedule: '0 0 L * *' }, at('13:00')))
    .then(updated('13:00', { grace_seconds: 60 }));
  const { schedule, ...times } = { ...timing(), period_seconds: null, schedule: '0 0 L * *' };
  assert.is(expectedAfter({ ...times, schedule }, NOON), '2026-11-30T00:00:00.000000');
  assert.is(shortestPeriodOf({ period_seconds: null, schedule }), 28 * 86_400);
});

test('an update of a heartbeat may send back the period that is shown for its schedule', () => {
  const hourly = created({ period_seconds: null, schedule: '0 * * * *' });
  heartbeat
    .given(hourly)
    .when((state) => updateHeartbeat(state, { period_seconds: 3_600, schedule: '0 * * * *', grace_seconds: 60 }, NOON))
    .then(updated('12:00', { grace_seconds: 60 }));
  heartbeat
    .given(hourly)
    .when((state) => updateHeartbeat(state, { period_seconds: 3_600, schedule: null }, NOON))
    .then({
      type: 'HeartbeatUpdated',
      data: {
        heartbeat_id: HEARTBEAT,
        changed_at: NOON,
        changes: { period_seconds: 3_600, schedule: null },
        previous: { period_seconds: null, schedule: '0 * * * *' },
      },
    });
  heartbeat
    .given(hourly)
    .when((state) => updateHeartbeat(state, { period_seconds: 60 }, NOON))
    .throws(Invalid);
});

test('the period shown for a schedule may be sent with a changed schedule, and when a heartbeat is copied', () => {
  const yearly = created({ period_seconds: null, schedule: '0 0 1 1 *' });
  const seconds = 365 * 86_400;
  for (const period_seconds of [seconds, 86_400]) {
    heartbeat
      .given(yearly)
      .when((state) => updateHeartbeat(state, { period_seconds, schedule: '0 3 * * *' }, NOON))
      .then({
        type: 'HeartbeatUpdated',
        data: {
          heartbeat_id: HEARTBEAT,
          changed_at: NOON,
          changes: { schedule: '0 3 * * *' },
          previous: { schedule: '0 0 1 1 *' },
        },
      });
  }
  const copy = { name: 'Backup', period_seconds: seconds, schedule: '0 0 1 1 *', grace_seconds: 600 };
  heartbeat
    .given()
    .when((state) => createHeartbeat(state, HEARTBEAT, copy, NOON))
    .then(yearly);
});

test('the period of a heartbeat is at most 90 days', () => {
  const period_seconds = 90 * 86_400 + 1;
  heartbeat
    .given()
    .when((state) => createHeartbeat(state, HEARTBEAT, { name: 'Backup', period_seconds }, NOON))
    .throws(Invalid);
  heartbeat
    .given(created({ period_seconds: null, schedule: '0 0 1 1 *' }))
    .when((state) => updateHeartbeat(state, { period_seconds: 365 * 86_400, schedule: null }, NOON))
    .throws(Invalid);
});

test('a change of a heartbeat contains only the fields that differ', () => {
  heartbeat
    .given(created())
    .when((state) => updateHeartbeat(state, { name: 'Backup', grace_seconds: 60 }, at('13:00')))
    .then(updated('13:00', { grace_seconds: 60 }));
});

test('the tags of a heartbeat are sorted and unique, and their order changes nothing', () => {
  heartbeat
    .given()
    .when((state) =>
      createHeartbeat(
        state,
        HEARTBEAT,
        { name: 'Backup', period_seconds: 3_600, grace_seconds: 600, tags: ['prod', 'eu', 'prod'] },
        NOON,
      ),
    )
    .then(created({ tags: ['eu', 'prod'] }));
  heartbeat
    .given(created({ tags: ['eu', 'prod'] }))
    .when((state) => updateHeartbeat(state, { tags: ['prod', 'eu'] }, at('13:00')))
    .thenNothing();
  heartbeat
    .given(created())
    .when((state) => updateHeartbeat(state, { tags: ['prod', 'eu'] }, at('13:00')))
    .then(updated('13:00', { tags: ['eu', 'prod'] }));
});

test('a heartbeat restarts when its schedule changes or it is resumed, but not when it is renamed', () => {
  const from = (...events: Parameters<typeof heartbeat.given>) => {
    const state = heartbeat.given(...events).state();
    return state.status === 'live' ? [state.timing.number, state.timing.from] : [];
  };
  assert.equal(from(created()), [1, NOON]);
  assert.equal(from(created(), updated('13:00', { name: 'Mirror' })), [1, NOON]);
  assert.equal(from(created(), updated('13:00', { period_seconds: 60 })), [2, at('13:00')]);
  assert.equal(from(created(), updated('13:00', { active: false }), updated('15:00', { active: true })), [
    3,
    at('15:00'),
  ]);
});

test('a paused heartbeat is no longer down', () => {
  const state = heartbeat.given(created(), wentDown, updated('15:00', { active: false })).state();
  assert.is(state.status === 'live' ? state.down : undefined, null);
});

test('a heartbeat notifies each channel once', () => {
  heartbeat
    .given(created({ channel_ids: ['one', 'two'] }))
    .when((state) => addChannels(state, ['two', 'three', 'three'], NOON))
    .then({
      type: 'HeartbeatUpdated',
      data: {
        heartbeat_id: HEARTBEAT,
        changed_at: NOON,
        changes: { channel_ids: ['one', 'two', 'three'] },
        previous: { channel_ids: ['one', 'two'] },
      },
    });
  heartbeat
    .given(created({ channel_ids: ['one'] }))
    .when((state) => removeChannel(state, 'two', NOON))
    .throws(NotFound);
});

test('a heartbeat is deleted once', () => {
  const remove = (state: Parameters<typeof deleteHeartbeat>[0]) => deleteHeartbeat(state, NOON);
  const deleted = { type: 'HeartbeatDeleted', data: { heartbeat_id: HEARTBEAT, deleted_at: NOON } } as const;
  heartbeat.given(created()).when(remove).then(deleted);
  heartbeat.given(created(), deleted).when(remove).throws(NotFound);
});

test('pings of a heartbeat are expected at the times of its schedule, also across clock changes', () => {
  const daily = (schedule: string, time_zone: string) => ({ ...fields(), period_seconds: null, schedule, time_zone });
  const nightly = daily('30 2 * * *', 'Europe/Berlin');
  // 29 March 2026: 02:00 becomes 03:00, so 02:30 is skipped and expected right after.
  assert.is(expectedAfter(nightly, '2026-03-28T12:00:00.000000'), '2026-03-29T01:00:00.000000');
  // 25 October 2026: 03:00 becomes 02:00, so 02:30 occurs twice and is expected once.
  assert.is(expectedAfter(nightly, '2026-10-24T12:00:00.000000'), '2026-10-25T00:30:00.000000');
  assert.is(expectedAfter(nightly, '2026-10-25T00:30:00.000000'), '2026-10-26T01:30:00.000000');
  assert.is(expectedAfter(timing(), at('13:00')), at('14:00'));
});

test('a ping that arrives shortly before a scheduled time because of a fast clock counts for that time', () => {
  const daily = { ...fields(), period_seconds: null, schedule: '30 2 * * *' };
  const next = (clock: string) => expectedByPing(daily, at(clock)).expected_at;
  assert.is(next('02:29:54'), at('02:30'));
  assert.is(next('02:29:59'), '2026-11-21T02:30:00.000000');
  assert.is(expectedByPing(fields(), at('02:29:59')).expected_at, at('03:29:59'));
});

test.run();
