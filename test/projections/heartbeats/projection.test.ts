import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { publicNameOf } from '../../../domain/heartbeat/identity.ts';
import { heartbeats } from '../../../projections/heartbeats/projection.ts';
import { created, HEARTBEAT, NOON, recovered, updated, wentDown } from '../../domain/heartbeat/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const deleted: Fact = { type: 'HeartbeatDeleted', data: { heartbeat_id: HEARTBEAT, deleted_at: NOON } };
const facts = (...all: unknown[]) => all as Fact[];

projectionRules(heartbeats, facts(created(), updated('13:00', { period_seconds: 60 }), wentDown, recovered, deleted));

const test = suite('the read model of heartbeats');
const given = (...all: unknown[]) => projection(heartbeats).given(...facts(...all));

test('a heartbeat is listed whenever the expected times of its pings change', async () => {
  const timings = async (...all: unknown[]) =>
    (await given(...all).documents('heartbeat_timings')).map(({ number, timing }) => [number, timing?.period_seconds]);
  assert.equal(await timings(created()), [[1, 3_600]]);
  assert.equal(await timings(created(), updated('13:00', { name: 'Mirror' })), [[1, 3_600]]);
  assert.equal(await timings(created(), updated('13:00', { period_seconds: 60 })), [[2, 60]]);
  assert.equal(await timings(created(), updated('13:00', { active: false })), [[2, undefined]]);
  assert.equal(await timings(created(), deleted), [[2, undefined]]);
});

test('each failure and each recovery of a heartbeat has a notice', async () => {
  const notices = await given(created({ channel_ids: ['one'] }), wentDown, recovered).documents('heartbeat_notices');
  const name = publicNameOf(HEARTBEAT);
  assert.equal(
    notices.map(({ id, event, channel_ids, recovered: end }) => [id, event, channel_ids, end?.duration ?? null]),
    [
      [`${name}/1/down`, 'heartbeat.down', ['one'], null],
      [`${name}/1/recovered`, 'heartbeat.recovered', ['one'], 1_200],
    ],
  );
  assert.not(
    JSON.stringify(notices.map(({ cause, series }) => [cause, series])).includes(HEARTBEAT),
    'its id is a secret',
  );
});

test('changes of a heartbeat start a new revision, and pings do not', async () => {
  const revision = async (...all: unknown[]) =>
    (await given(...all).documents('heartbeats')).map((one) => one.revision);
  assert.equal(await revision(created(), wentDown, recovered), [1]);
  assert.equal(await revision(created(), wentDown, updated('13:00', { name: 'Mirror' }), recovered), [3]);
});

test('a deleted heartbeat is removed', async () => {
  await given(created(), deleted).thenNone('heartbeats');
});

test.run();
