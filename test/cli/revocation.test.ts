import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announceApi, announcedApis } from '../../cli/api-presence.ts';
import { untilAllHaveSeen, untilServiceHasSeen } from '../../cli/revocation.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';

const test = suite('a revocation is done when every process knows of it');

const SOON = { patience: 60, silence: 30, look: 1 };
/** Longer than any test takes. */
const NEVER = { patience: 600_000, silence: 600_000, look: 1 };

/** An API process of a cluster, which beats every millisecond and has said so. */
const startApi = async (
  coordination: ReturnType<typeof createMemoryCoordination>,
  identity: string,
  position: bigint,
) => {
  const state = { position, followed: true };
  const stop = await announceApi({ coordination, identity, seen: () => state, beat: 1 });
  return { state, stop };
};

test('a service that is asked until its read model has passed it', async () => {
  const said = ['3', '4', '5'].map((position) => ({ position, followed: true }));
  let asked = 0;
  assert.is(await untilServiceHasSeen(async () => said[asked++] ?? null, 5n, NEVER), null);
  assert.is(asked, 3);
});

test('a service that asks the log itself knows of it at once, and so does one that is at its start', async () => {
  assert.is(await untilServiceHasSeen(async () => ({ position: '0', followed: false }), 5n, SOON), null);
  assert.is(await untilServiceHasSeen(async () => null, 5n, SOON), null);
});

test('a service that does not come to know of it is named, and one that can not be asked', async () => {
  assert.is(
    await untilServiceHasSeen(async () => ({ position: '3', followed: true }), 5n, SOON),
    'the service that runs here does not know of it yet',
  );
  assert.is(
    await untilServiceHasSeen(() => Promise.reject(new Error('No such file.')), 5n, SOON),
    'the service that runs here could not be asked (No such file.)',
  );
});

test('all API processes of a cluster are waited for', async () => {
  const coordination = createMemoryCoordination();
  const one = await startApi(coordination, 'one', 5n);
  const other = await startApi(coordination, 'other', 3n);
  const waiting = untilAllHaveSeen(coordination, 5n, NEVER);
  other.state.position = 5n;
  assert.is(await waiting, null);
  await Promise.all([one.stop(), other.stop()]);
  assert.equal(await announcedApis(coordination), []);
});

test('those that do not come to know of it are named', async () => {
  const coordination = createMemoryCoordination();
  const processes = [await startApi(coordination, 'one', 3n), await startApi(coordination, 'two', 5n)];
  assert.is(
    await untilAllHaveSeen(coordination, 5n, { ...NEVER, patience: 60 }),
    'the API process one does not know of it yet',
  );
  for (const { stop } of processes) await stop();
});

test('one that was killed is not waited for', async () => {
  const coordination = createMemoryCoordination();
  await coordination.write('api:killed', JSON.stringify({ position: '1', followed: true, count: 7 }));
  assert.is(await untilAllHaveSeen(coordination, 5n, { ...NEVER, silence: 20 }), null);
  assert.equal(await announcedApis(coordination), []);
});

test('without any process it is in effect', async () => {
  assert.is(await untilAllHaveSeen(createMemoryCoordination(), 5n, SOON), null);
});

test.run();
