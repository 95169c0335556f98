import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  announceApi,
  announcedApis,
  withdrawRevocationRequest,
  requestRevocation,
} from '../../../service/cluster/api-presence.ts';
import { waitForApiProcesses } from '../../../cli/api-keys/revocation.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { eventually } from '../../waiting.ts';

const test = suite('revocation of API keys in a cluster');

const SOON = { patience: 60, silence: 30, poll: 1 };
/** Times that are longer than any test takes, in milliseconds. */
const NEVER = { patience: 600_000, silence: 600_000, poll: 1 };

/**
 * Simulates an API process of a cluster. The process announces its position immediately and then every millisecond. It
 * applies requested revocations unless `state.deaf` is set.
 */
const startApi = async (
  coordination: ReturnType<typeof createMemoryCoordination>,
  identity: string,
  state: { position: bigint; deaf: boolean },
) => {
  const takeEffect = (requested: bigint): bigint => {
    if (requested > state.position && !state.deaf) state.position = requested;
    return state.position;
  };
  return announceApi({ coordination, identity, takeEffect, interval: 1 });
};

test('a revocation is sent to all API processes of a cluster, and waits until each of them has applied it', async () => {
  const coordination = createMemoryCoordination();
  const late = { position: 2n, deaf: true };
  const states = [{ position: 5n, deaf: false }, { position: 3n, deaf: false }, late];
  const stops = await Promise.all(states.map((state, index) => startApi(coordination, `api ${index}`, state)));
  const waiting = waitForApiProcesses(coordination, 5n, NEVER);
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

test('each of two concurrent revocations waits until all API processes have applied it', async () => {
  const coordination = createMemoryCoordination();
  const state = { position: 1n, deaf: true };
  const stop = await startApi(coordination, 'one', state);
  const waiting = [7n, 5n].map((position) => waitForApiProcesses(coordination, position, NEVER));
  state.deaf = false;
  assert.equal(await Promise.all(waiting), [null, null]);
  assert.is(state.position, 7n);
  await stop();
});

test('a process that starts after a revocation request was withdrawn does not apply it', async () => {
  const coordination = createMemoryCoordination();
  await requestRevocation(coordination, 5n);
  await requestRevocation(coordination, 4n);
  const state = { position: 1n, deaf: false };
  await (
    await startApi(coordination, 'one', state)
  )();
  assert.is(state.position, 5n);
  await withdrawRevocationRequest(coordination);
  const later = { position: 1n, deaf: false };
  await (
    await startApi(coordination, 'two', later)
  )();
  assert.is(later.position, 1n);
});

test('a revocation names the processes that do not confirm it in time', async () => {
  const coordination = createMemoryCoordination();
  const stops = [
    await startApi(coordination, 'one', { position: 3n, deaf: true }),
    await startApi(coordination, 'two', { position: 5n, deaf: true }),
  ];
  assert.is(
    await waitForApiProcesses(coordination, 5n, { ...NEVER, patience: 60 }),
    'the API process one has not applied the change yet',
  );
  for (const stop of stops) await stop();
});

test('a revocation does not wait for a killed process', async () => {
  const coordination = createMemoryCoordination();
  await coordination.write('api:killed', JSON.stringify({ position: '1', count: 7 }));
  assert.is(await waitForApiProcesses(coordination, 5n, { ...NEVER, silence: 20 }), null);
  assert.equal(await announcedApis(coordination), []);
});

test('a revocation takes effect immediately if no API process is running', async () => {
  assert.is(await waitForApiProcesses(createMemoryCoordination(), 5n, SOON), null);
});

test.run();
