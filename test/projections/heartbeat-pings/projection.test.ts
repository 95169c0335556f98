import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { publicNameOf } from '../../../domain/heartbeat/identity.ts';
import { heartbeatPings } from '../../../projections/heartbeat-pings/projection.ts';
import { at, HEARTBEAT, ORGANIZATION, ping, timing } from '../../domain/heartbeat/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const NAME = publicNameOf(HEARTBEAT);

/** Returns a ping that was recorded at the time of its reception. */
const pinged = (clock: string, changes: Parameters<typeof ping>[1] = {}): Fact => ({
  type: 'HeartbeatPinged',
  data: ping(clock, changes),
  metadata: { recorded_at: at(clock) },
});
const rescheduled = (clock: string, number: number, changed: ReturnType<typeof timing> | null): Fact => ({
  type: 'HeartbeatRescheduled',
  data: { heartbeat_id: HEARTBEAT, organization_id: ORGANIZATION, number, timing: changed },
  metadata: { recorded_at: at(clock) },
});

projectionRules(heartbeatPings, [
  rescheduled('12:00', 1, timing()),
  pinged('13:00', { kind: 'start' }),
  pinged('13:01'),
  rescheduled('13:30', 2, timing({ number: 2, from: at('13:30') })),
]);

const test = suite('the read model of pings');
const given = (...facts: Fact[]) => projection(heartbeatPings).given(...facts);

test('a heartbeat is due shortly after its next ping would be late', async () => {
  const due = async (...facts: Fact[]) => (await given(...facts).document('awaited_heartbeats', NAME))?.due_at ?? null;
  assert.is(await due(rescheduled('12:00', 1, timing())), null, 'nobody waits for the first');
  assert.is(await due(pinged('13:00')), at('14:10:01'));
  assert.is(await due(pinged('13:00'), rescheduled('13:30', 2, null)), null, 'it is paused');
});

test('a heartbeat whose next ping is far in the future is due before the retention removes its previous ping', async () => {
  const weekly = pinged('06:00', { expected_at: '2026-11-27T06:00:00.000000', down_at: '2026-11-27T07:00:00.000000' });
  assert.is((await given(weekly).document('awaited_heartbeats', NAME))?.due_at, at('18:00'));
});

test('the duration of a heartbeat run is measured from its start ping to its end', async () => {
  const start = pinged('13:00', { kind: 'start' });
  const pings = await given(start, pinged('13:02')).documents('heartbeat_pings');
  assert.equal(pings.map(({ kind, duration }) => [kind, duration]).sort(), [
    ['start', null],
    ['success', 120_000],
  ]);
});

test('a repeated ping counts once', async () => {
  const model = given(pinged('13:00'), pinged('13:10'), pinged('13:00'));
  assert.equal(
    (await model.documents('ping_hours')).map(({ ping_count }) => ping_count),
    [2],
  );
  assert.is((await model.document('heartbeat_standings', NAME))?.last_ping?.at, at('13:10'));
});

test('a heartbeat verdict is listed when a run has another outcome than the previous one, and when a ping may have been late', async () => {
  const changedBy = async (...facts: Fact[]) =>
    (await given(...facts).document('heartbeat_verdicts', NAME))?.changed_position ?? null;
  const first = await changedBy(pinged('13:00'));
  assert.is(await changedBy(pinged('13:00'), pinged('13:30')), first, 'all is well');
  assert.not.equal(await changedBy(pinged('13:00'), pinged('14:30')), first, 'it was late');
  assert.not.equal(await changedBy(pinged('13:00'), pinged('14:09')), first, 'clocks may differ');
  const failed = await changedBy(pinged('13:00'), pinged('13:30', { kind: 'fail' }));
  assert.not.equal(failed, first);
  assert.not.equal(await changedBy(pinged('13:00'), pinged('13:30', { kind: 'fail' }), pinged('13:40')), failed);
});

test('a heartbeat verdict is listed when a ping may have been late under an earlier schedule, and when a ping ends a period in which the heartbeat was down', async () => {
  const changedBy = async (...facts: Fact[]) =>
    (await given(...facts).document('heartbeat_verdicts', NAME))?.changed_position ?? null;
  const first = await changedBy(pinged('13:00'));
  const longer = timing({ number: 2, grace_seconds: 7_200, from: at('14:20') });
  const paused = [rescheduled('14:30', 3, null), rescheduled('14:40', 4, { ...longer, number: 4, from: at('14:40') })];
  const by = { timing: 2 };
  assert.not.equal(await changedBy(pinged('13:00'), rescheduled('14:20', 2, longer), pinged('14:30', by)), first);
  const known = rescheduled('14:20', 2, longer);
  assert.not.equal(await changedBy(pinged('13:00'), known, ...paused, pinged('14:50', { timing: 4 })), first);
  const soon = timing({ number: 2, grace_seconds: 7_200, from: at('13:20') });
  assert.is(await changedBy(pinged('13:00'), rescheduled('13:20', 2, soon), pinged('13:30', by)), first, 'nor was it');
  assert.not.equal(await changedBy(pinged('13:00'), pinged('13:30', { while_down: true })), first);
});

test('a heartbeat verdict is listed when a run succeeds after a run that took too long', async () => {
  const limited = { max_duration: 3_600 };
  const changedBy = async (...facts: Fact[]) =>
    (await given(...facts).document('heartbeat_verdicts', NAME))?.changed_position ?? null;
  const day = { expected_at: '2026-11-21T13:00:00.000000', down_at: '2026-11-21T14:00:00.000000', ...limited };
  const runs = [
    pinged('13:00', day),
    pinged('13:05', { kind: 'start', ...day }),
    pinged('14:30', { kind: 'start', ...day }),
  ];
  assert.not.equal(await changedBy(...runs, pinged('14:40', day)), await changedBy(...runs));
});

test.run();
