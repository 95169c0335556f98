import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announceApi, announcedApis, askNoMore, askToTakeEffect } from '../../../service/cluster/api-presence.ts';
import { untilAllTookEffect } from '../../../cli/api-keys/revocation.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a revocation is done when it is in effect in every process');

const SOON = { patience: 60, silence: 30, look: 1 };
/** Longer than any test takes. */
const NEVER = { patience: 600_000, silence: 600_000, look: 1 };

/** An API process of a cluster, which beats every millisecond and has said so; it takes into effect what it is told. */
const startApi = async (
  coordination: ReturnType<typeof createMemoryCoordination>,
  identity: string,
  state: { position: bigint; deaf: boolean },
) => {
  const takeEffect = (asked: bigint): bigint => {
    if (asked > state.position && !state.deaf) state.position = asked;
    return state.position;
  };
  return announceApi({ coordination, identity, takeEffect, beat: 1 });
};

test('all API processes of a cluster are asked and waited for', async () => {
  const coordination = createMemoryCoordination();
  const late = { position: 2n, deaf: true };
  const states = [{ position: 5n, deaf: false }, { position: 3n, deaf: false }, late];
  const stops = await Promise.all(states.map((state, index) => startApi(coordination, `api ${index}`, state)));
  const waiting = untilAllTookEffect(coordination, 5n, NEVER);
  await eventually(() => states.filter(({ position }) => position === 5n).length >= 2);
  late.deaf = false;
  assert.is(await waiting, null);
  assert.equal(
    states.map(({ position }) => position),
    [5n, 5n, 5n],
  );
  await Promise.all(stops.map((stop) => stop()));
  assert.equal(await announcedApis(coordination), []);
});

test('two who revoke at once are both waited for', async () => {
  const coordination = createMemoryCoordination();
  const state = { position: 1n, deaf: true };
  const stop = await startApi(coordination, 'one', state);
  const waiting = [7n, 5n].map((position) => untilAllTookEffect(coordination, position, NEVER));
  state.deaf = false;
  assert.equal(await Promise.all(waiting), [null, null]);
  assert.is(state.position, 7n);
  await stop();
});

test('nothing is asked any more of those that come later', async () => {
  const coordination = createMemoryCoordination();
  await askToTakeEffect(coordination, 5n);
  await askToTakeEffect(coordination, 4n);
  const state = { position: 1n, deaf: false };
  await (
    await startApi(coordination, 'one', state)
  )();
  assert.is(state.position, 5n);
  await askNoMore(coordination);
  const later = { position: 1n, deaf: false };
  await (
    await startApi(coordination, 'two', later)
  )();
  assert.is(later.position, 1n);
});

test('those that do not say it are named', async () => {
  const coordination = createMemoryCoordination();
  const stops = [
    await startApi(coordination, 'one', { position: 3n, deaf: true }),
    await startApi(coordination, 'two', { position: 5n, deaf: true }),
  ];
  assert.is(
    await untilAllTookEffect(coordination, 5n, { ...NEVER, patience: 60 }),
    'the API process one has not applied the change yet',
  );
  for (const stop of stops) await stop();
});

test('one that was killed is not waited for', async () => {
  const coordination = createMemoryCoordination();
  await coordination.write('api:killed', JSON.stringify({ position: '1', count: 7 }));
  assert.is(await untilAllTookEffect(coordination, 5n, { ...NEVER, silence: 20 }), null);
  assert.equal(await announcedApis(coordination), []);
});

test('without any process it is in effect', async () => {
  assert.is(await untilAllTookEffect(createMemoryCoordination(), 5n, SOON), null);
});

test.run();
