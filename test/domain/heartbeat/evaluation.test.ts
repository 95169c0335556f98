import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluateHeartbeat, type LateHeartbeat } from '../../../domain/heartbeat/evaluation.ts';
import { latenessOf, recordedReception } from '../../../domain/heartbeat/reception.ts';
import { heartbeatDecider, type Heartbeat } from '../../../domain/heartbeat/state.ts';
import {
  afterPing,
  afterRescheduling,
  downAtOf,
  INITIAL_PING_STATE,
  type PingState,
} from '../../../domain/heartbeat-pings/state.ts';
import type { HeartbeatEvent } from '../../../domain/heartbeat/events.ts';
import type { Timing } from '../../../domain/heartbeat-pings/events.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import { specification } from '../specification.ts';
import { at, created, HEARTBEAT, ORGANIZATION, ping, recovered, timing, updated, wentDown } from './examples.ts';

const heartbeat = specification(heartbeatDecider);
const test = suite('the evaluation of a heartbeat');

const pinged = (...pings: ReturnType<typeof ping>[]): PingState => pings.reduce(afterPing, INITIAL_PING_STATE);
const evaluated = (pingState: PingState, late: LateHeartbeat | null) => (state: Heartbeat) =>
  evaluateHeartbeat(state, pingState, late, at('23:00'));
const late: LateHeartbeat = { at: at('14:10'), because: 'late' };

test('a heartbeat goes down when it is late and recovers with the next ping', () => {
  heartbeat
    .given(created())
    .when(evaluated(pinged(ping('13:00')), late))
    .then(wentDown);
  const back = pinged(ping('13:00'), ping('14:30'));
  heartbeat.given(created(), wentDown).when(evaluated(back, null)).then(recovered);
  heartbeat.given(created(), wentDown, recovered).when(evaluated(back, null)).thenNothing();
});

test('each status change of a heartbeat is recorded once, and a heartbeat that has no pings, is paused or was deleted does not change its status', () => {
  heartbeat
    .given(created(), wentDown)
    .when(evaluated(pinged(ping('13:00')), late))
    .thenNothing();
  heartbeat.given(created()).when(evaluated(INITIAL_PING_STATE, late)).thenNothing();
  heartbeat
    .given(created({ active: false }))
    .when(evaluated(pinged(ping('13:00')), late))
    .thenNothing();
  heartbeat
    .given()
    .when(evaluated(pinged(ping('13:00')), late))
    .thenNothing();
});

test('a heartbeat that was late only according to an outdated schedule does not go down', () => {
  heartbeat
    .given(created(), updated('14:05', { period_seconds: 7_200 }))
    .when(evaluated(pinged(ping('13:00')), late))
    .thenNothing();
  heartbeat
    .given(created(), wentDown, recovered)
    .when(evaluated(pinged(ping('13:00')), late))
    .thenNothing();
});

test('a heartbeat goes down immediately on a failure ping or when a run takes too long', () => {
  const limited = timing({ max_duration: 60 });
  const failed = pinged(ping('13:00'), ping('13:20', { kind: 'fail' }));
  const because = (pingState: PingState) => {
    const [event] = evaluateHeartbeat(heartbeat.given(created()).state(), pingState, null, at('23:00'));
    return event?.type === 'HeartbeatWentDown' ? [event.data.because, event.data.down_at] : null;
  };
  assert.equal(because(failed), ['failed', at('13:20')]);
  const run = (end: string) => pinged(ping('13:00', { kind: 'start' }, limited), ping(end, {}, limited));
  assert.equal(because(run('13:01')), null);
  assert.equal(because(run('13:02')), ['took_too_long', at('13:02')]);
});

test('a heartbeat run without an end ping takes too long when its time limit is over', () => {
  const limited = timing({ max_duration: 60 });
  const running = pinged(ping('13:00', {}, limited), ping('13:30', { kind: 'start' }, limited));
  assert.equal(downAtOf(running), { at: at('13:31'), because: 'took_too_long' });
  assert.is(running.expected_at, at('14:00'), 'a start is no sign that a job is done');
  assert.is(
    pinged(ping('13:30', { kind: 'start' })).expected_at,
    at('14:30'),
    'the first ping of all expects something',
  );
});

test('a ping received under an outdated schedule is evaluated by the current schedule', () => {
  const rescheduled = {
    heartbeat_id: HEARTBEAT,
    organization_id: ORGANIZATION,
    number: 2,
    timing: timing({ number: 2, period_seconds: 7_200, from: at('13:00') }),
  };
  const changed = afterRescheduling(pinged(ping('12:30')), rescheduled);
  assert.is(changed.expected_at, at('15:00'), 'it begins anew');
  assert.is(afterPing(changed, ping('13:01')).expected_at, at('15:01'));
  assert.equal(afterRescheduling(changed, rescheduled), changed, 'the same said again changes nothing');
  const paused = afterRescheduling(changed, { ...rescheduled, number: 3, timing: null });
  assert.is(downAtOf(paused), null);
  assert.is(downAtOf(afterPing(paused, ping('13:30', {}, timing({ number: 2 })))), null);
});

test('a heartbeat still goes down in time if retention has removed its pings, but its ping state was recorded in a later event', () => {
  const known = { ping_id: 'ping13000000', last_ping_at: at('13:00'), expected_at: at('14:00'), down_at: at('14:10') };
  const again = { heartbeat_id: HEARTBEAT, organization_id: ORGANIZATION, number: 1, timing: timing(), known };
  assert.equal(downAtOf(afterRescheduling(INITIAL_PING_STATE, again)), late);
  const newer = pinged(ping('13:00'), ping('13:50'));
  assert.is(afterRescheduling(newer, again).late_at, newer.late_at);
});

/** Returns the ping state after another timing was recorded in the log of pings. */
const rescheduled = (pingState: PingState, number: number, changes: Partial<Timing>): PingState =>
  afterRescheduling(pingState, {
    heartbeat_id: HEARTBEAT,
    organization_id: ORGANIZATION,
    number,
    timing: timing({ number, ...changes }),
  });

test('a heartbeat that is down while its schedule changes stays down until the next ping', () => {
  for (const changes of [
    { grace_seconds: 7_200 },
    { period_seconds: 60 },
    { period_seconds: null, schedule: '0 4 * * *' },
  ]) {
    const changed = rescheduled(pinged(ping('13:00')), 2, { ...changes, from: at('14:20') });
    assert.is(changed.down_from, at('14:10'), 'it may be down since then');
    const given = heartbeat.given(created(), wentDown, updated('14:20', changes));
    given.when(evaluated(changed, null)).thenNothing();
    const by = timing({ number: 2, ...changes, from: at('14:20') });
    given.when(evaluated(afterPing(changed, ping('14:30', {}, by)), null)).then(recovered);
  }
});

test('a missing recovery event is recorded before a heartbeat goes down again', () => {
  const again = pinged(ping('13:00'), ping('14:30'));
  const ping_id = ping('14:30').ping_id;
  heartbeat
    .given(created(), wentDown)
    .when(evaluated(again, { at: at('15:40'), because: 'late' }))
    .then(recovered, {
      type: 'HeartbeatWentDown',
      data: { ...wentDown.data, number: 2, down_at: at('15:40'), ping_id, last_ping_at: at('14:30') } as never,
    });
});

test('a failed heartbeat run before a change of the schedule counts unless the heartbeat was paused afterwards', () => {
  const failed = pinged(ping('13:00'), ping('13:20', { kind: 'fail' }));
  const because = (...events: Parameters<typeof heartbeat.given>) =>
    evaluateHeartbeat(heartbeat.given(...events).state(), failed, null, at('23:00')).map(({ type }) => type);
  assert.equal(because(created(), updated('13:21', { grace_seconds: 60 })), ['HeartbeatWentDown']);
  assert.equal(because(created(), updated('13:21', { active: false }), updated('13:22', { active: true })), []);
});

test('a heartbeat run that is started again can end in time', () => {
  const limited = timing({ max_duration: 3_600 });
  const hung = pinged(ping('13:00', {}, limited), ping('13:05', { kind: 'start' }, limited));
  const restarted = afterPing(hung, ping('13:50', { kind: 'start' }, limited));
  assert.is(restarted.overrun_at, at('14:50'));
  assert.is(restarted.down_from, at('14:05'));
});

test('a start ping received under a new schedule is evaluated by that schedule', () => {
  const longer = timing({ number: 2, period_seconds: 7_200, from: at('13:30') });
  const started = afterPing(pinged(ping('13:00')), ping('13:31', { kind: 'start' }, longer));
  assert.is(started.expected_at, at('15:31'));
});

test('pings received while a clock was fast hide neither a recovery nor lateness after the clock is corrected', () => {
  const ahead = '2026-11-21T13:00:00.000000';
  const wrong: HeartbeatEvent = {
    ...wentDown,
    data: { ...wentDown.data, ping_id: 'ahead', last_ping_at: ahead } as never,
  };
  const pingState = pinged(ping('13:00', { ping_id: 'ahead', received_at: ahead, kind: 'start' }), ping('14:30'));
  heartbeat.given(created(), wrong).when(evaluated(pingState, null)).then(recovered);
  const early: HeartbeatEvent = { ...recovered, data: { ...recovered.data, recovered_at: ahead } as never };
  const state = heartbeat.given(created(), wentDown, early).state();
  const again = evaluateHeartbeat(state, pinged(ping('15:00')), { at: at('16:10'), because: 'late' }, at('16:11'));
  assert.equal(
    again.map(({ type }) => type),
    ['HeartbeatWentDown'],
  );
});

const T = (clock: string): number => millisecondsOf(at(clock));

test("no heartbeat is late while pings can't be received, and grace restarts afterwards", () => {
  const pingState = pinged(ping('13:00'));
  const listening = { since: T('11:00'), until: T('14:10') };
  assert.equal(latenessOf(pingState, listening, at('14:10')), { late });
  assert.ok('again' in (latenessOf(pingState, null, at('14:10')) ?? {}));
  assert.ok('again' in (latenessOf(pingState, { since: T('11:00'), until: T('13:50') }, at('14:10')) ?? {}));
  // No pings were received from 13:50 to 14:20. The ping expected at 14:00 may have been sent in that time.
  const back = { since: T('14:20'), until: T('14:20') };
  assert.equal(latenessOf(pingState, back, at('14:20')), { again: T('14:30') });
  const later = { since: T('14:20'), until: T('14:30') };
  assert.equal(latenessOf(pingState, later, at('14:30')), { late: { at: at('14:30'), because: 'late' } });
  // A gap in the reception has no effect if it ended before the ping was expected.
  assert.equal(latenessOf(pingState, { since: T('13:59'), until: T('14:10') }, at('14:10')), { late });
});

test('the reception of pings counts as continuous over short gaps, and restarts after longer gaps and clock jumps', () => {
  const since = T('12:00');
  const noted = { since, until: T('13:00') };
  assert.equal(recordedReception(null, since), { since, until: since });
  assert.equal(recordedReception(noted, T('13:00:10')), { since, until: T('13:00:10') });
  assert.equal(recordedReception(noted, T('13:00:20')), { since: T('13:00:20'), until: T('13:00:20') });
  assert.equal(recordedReception(noted, T('11:00')), { since: T('11:00'), until: T('11:00') });
});

test.run();
