import { MongoClient } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMongoCoordination } from '../../../../stores/coordination/mongodb/open.ts';
import { CoordinationUnavailable, type Coordination, type Lease } from '../../../../stores/coordination/port.ts';
import { openMongoDb } from '../../../../stores/mongodb/open.ts';
import { rejects } from '../../../rejects.ts';
import {
  SHORT_TIMEOUTS,
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../../../servers/mongodb/server.ts';
import { openProxy } from '../../../servers/proxy.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { eventually, realPause } from '../../../waiting.ts';

const NAME = 'projection:pages@1';

/** A process that competes for leases, with its own connection and its own clock. */
interface Participant {
  coordination: Coordination;
  clock: FakeClock;
}

interface Context {
  database: TestDatabase;
  participant: (url?: string) => Participant;
  leave: (() => Promise<unknown>)[];
}

const never = new AbortController().signal;

/** Starts a candidate for a lease. The test advances the clock of the candidate in steps. */
const candidateOf = ({ coordination, clock }: Participant, signal = never) => {
  let lease: Lease | null = null;
  let failed: unknown = null;
  const settled = coordination.acquire(NAME, signal).then(
    (granted) => (lease = granted),
    (error: unknown) => (failed = error),
  );
  const looked = () => eventually(() => lease !== null || failed !== null || clock.waiting() > 0);
  return {
    settled,
    looked,
    lease: (): Lease | null => lease,
    /** Advances the clock of the candidate in steps of the polling interval. */
    wait: async (milliseconds: number): Promise<void> => {
      await looked();
      for (let passed = 0; passed < milliseconds && lease === null; passed += 500) {
        clock.advance(500);
        await looked();
      }
    },
  };
};

const granted = (lease: Lease | null): Lease => {
  if (!lease) throw new Error('the lease was not granted');
  return lease;
};

if (!skippedWithoutMongoDb()) {
  const test = suite<Context>('leases in MongoDB');
  let server: MongoDbServer;

  test.before(async () => {
    server = await startMongoDb();
  });
  test.after(() => server.stop());

  test.before.each((context) => {
    const database = testDatabase(server);
    const leave: Context['leave'] = [];
    const participant = (url?: string): Participant => {
      const clock = createFakeClock();
      const mongo = url === undefined ? openMongoDb(database.url) : openMongoDb(url, SHORT_TIMEOUTS);
      leave.push(() => mongo.close());
      return { coordination: openMongoCoordination(mongo, clock), clock };
    };
    Object.assign(context, { database, participant, leave });
  });
  test.after.each(async ({ leave, database }) => {
    for (const each of leave) await each();
    await database.drop();
  });

  const beatOf = async (url: string): Promise<number> => {
    const client = new MongoClient(url);
    try {
      return Number((await client.db().collection('leases').findOne())?.['beat']);
    } finally {
      await client.close();
    }
  };

  test('a lease whose holder died is taken over with a greater token, 7 s after the candidate has seen the last renewal', async ({
    participant,
  }) => {
    // The clock of this holder stands still, so the holder never renews its lease.
    const dead = await participant().coordination.acquire(NAME, never);
    const { clock, ...rest } = participant();
    const candidate = candidateOf({ clock, ...rest });
    await candidate.wait(6_500);
    assert.is(candidate.lease(), null);
    await candidate.wait(1_000);
    assert.ok(granted(candidate.lease()).token > dead.token);
    assert.is(clock.now(), 7_000);
  });

  test('a renewed lease is not taken over, however long a candidate waits', async ({ participant, database }) => {
    const holder = participant();
    const lease = await holder.coordination.acquire(NAME, never);
    const candidate = candidateOf(participant());
    for (let beat = 1; beat <= 10; beat++) {
      holder.clock.advance(2_000);
      await eventually(async () => (await beatOf(database.url)) === beat);
      await candidate.wait(6_500);
      assert.is(candidate.lease(), null);
    }
    assert.not(lease.lost.aborted);
  });

  test('a candidate takes a released lease at its next poll, half a second later at most', async ({ participant }) => {
    const first = await participant().coordination.acquire(NAME, never);
    const waiting = participant();
    const candidate = candidateOf(waiting);
    await candidate.wait(2_000);
    await first.release();
    const released = waiting.clock.now();
    await candidate.wait(1_000);
    assert.ok(granted(candidate.lease()).token > first.token);
    assert.is(waiting.clock.now() - released, 500);
  });

  test('exactly one of many candidates takes over a lease', async ({ participant }) => {
    const first = await participant().coordination.acquire(NAME, never);
    const candidates = Array.from({ length: 6 }, () => candidateOf(participant()));
    await Promise.all(candidates.map((candidate) => candidate.looked()));
    await first.release();
    await Promise.all(candidates.map((candidate) => candidate.wait(500)));
    const leases = candidates.flatMap((candidate) => candidate.lease() ?? []);
    assert.is(leases.length, 1);
    assert.is(leases[0]?.token, first.token + 1n);
  });

  test('a holder that can not renew its lease for 6 s releases the lease before another process takes it over', async ({
    participant,
    database,
    leave,
  }) => {
    const proxy = await openProxy(server);
    leave.push(() => proxy.close());
    const cutOff = participant(database.through(proxy));
    const lease = await cutOff.coordination.acquire(NAME, never);
    const candidate = candidateOf(participant());
    await candidate.looked();
    proxy.freeze();
    cutOff.clock.advance(5_999);
    await candidate.wait(6_500);
    assert.not(lease.lost.aborted);
    assert.is(candidate.lease(), null);
    cutOff.clock.advance(1);
    assert.ok(lease.lost.aborted);
    assert.match(String(lease.lost.reason), 'could not be renewed');
    await candidate.wait(500);
    assert.ok(granted(candidate.lease()).token > lease.token);
    proxy.restore();
  });

  test('a successful renewal extends a lease to 6 s after the moment when the renewal was sent', async ({
    participant,
    database,
  }) => {
    const holder = participant();
    const lease = await holder.coordination.acquire(NAME, never);
    holder.clock.advance(2_000);
    await eventually(async () => (await beatOf(database.url)) === 1);
    // The server has applied the renewal, and its response is in transit.
    await eventually(() => holder.clock.waiting() === 2);
    await realPause(20, 'no signal shows that the response has arrived');
    holder.clock.advance(5_999);
    assert.not(lease.lost.aborted);
  });

  test('a holder that was suspended during a takeover notices at its next renewal that it has lost the lease, and does not take the lease back', async ({
    participant,
  }) => {
    const sleeper = participant();
    const lease = await sleeper.coordination.acquire(NAME, never);
    const candidate = candidateOf(participant());
    await candidate.wait(7_000);
    const successor = granted(candidate.lease());
    sleeper.clock.advance(2_000);
    await eventually(() => lease.lost.aborted);
    assert.match(String(lease.lost.reason), 'another process holds it now');
    await lease.release();
    const third = candidateOf(participant());
    await third.wait(6_500);
    assert.is(third.lease(), null);
    assert.not(successor.lost.aborted);
  });

  test('a process can acquire its own lease again immediately after releasing it, but not before', async ({
    participant,
  }) => {
    const { coordination, clock } = participant();
    const stopped = await coordination.acquire(NAME, never);
    // The clock advances without waiting for the responses to renewals, as if no renewal had succeeded.
    clock.advance(1_999);
    assert.not(stopped.lost.aborted);
    const other = candidateOf({ coordination, clock });
    await other.wait(1_500);
    assert.is(other.lease(), null, 'it is in use here');
    await stopped.release();
    await other.wait(500);
    assert.ok(granted(other.lease()).token > stopped.token);
  });

  test('a waiting candidate stops waiting when its signal aborts', async ({ participant }) => {
    await participant().coordination.acquire(NAME, never);
    const { coordination, clock } = participant();
    const abort = new AbortController();
    const waiting = coordination.acquire(NAME, abort.signal);
    await eventually(() => clock.waiting() > 0);
    abort.abort(new Error('given up'));
    await rejects(waiting, Error, 'given up');
    assert.is(clock.waiting(), 0);
  });

  const NAMES = ['projection:pages@1', 'projection:incidents@1', 'reactor:jobs'];

  /** Creates a process whose commands are counted by name. */
  const countedParticipant = (url: string, leave: Context['leave']) => {
    const clock = createFakeClock();
    const mongo = openMongoDb(`${url}?monitorCommands=true`);
    leave.push(() => mongo.close());
    const commands: string[] = [];
    mongo.db.client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    return { coordination: openMongoCoordination(mongo, clock), clock, commands };
  };

  const beatsOf = async (url: string): Promise<Record<string, number>> => {
    const client = new MongoClient(url);
    try {
      const found = await client.db().collection<{ _id: string; beat: number }>('leases').find().toArray();
      return Object.fromEntries(found.map(({ _id, beat }) => [_id, beat]));
    } finally {
      await client.close();
    }
  };

  test('a process renews all its leases with one command, and polls all the leases it waits for with one command', async ({
    database,
    leave,
  }) => {
    const holder = countedParticipant(database.url, leave);
    for (const name of NAMES) await holder.coordination.acquire(name, never);
    holder.commands.splice(0);
    for (let beat = 1; beat <= 3; beat++) {
      holder.clock.advance(2_000);
      await eventually(async () => Object.values(await beatsOf(database.url)).every((beats) => beats === beat));
    }
    assert.equal(holder.commands, ['update', 'update', 'update']);

    const waiting = countedParticipant(database.url, leave);
    const abort = new AbortController();
    const acquiring = NAMES.map((name) => waiting.coordination.acquire(name, abort.signal).catch(() => null));
    for (let round = 1; round <= 3; round++) {
      await eventually(() => waiting.clock.waiting() === 1 && waiting.commands.length === round);
      waiting.clock.advance(500);
    }
    abort.abort();
    await Promise.all(acquiring);
    assert.equal(new Set(waiting.commands), new Set(['find']));
  });

  test('a process loses only those of its leases that another process holds', async ({ participant, database }) => {
    const sleeper = participant();
    const lease = await sleeper.coordination.acquire(NAME, never);
    const stored = await sleeper.coordination.acquire('another', never);
    const candidate = candidateOf(participant());
    await candidate.wait(7_000);
    assert.ok(granted(candidate.lease()).token > lease.token);
    sleeper.clock.advance(2_000);
    await eventually(() => lease.lost.aborted);
    await eventually(async () => ((await beatsOf(database.url))['another'] ?? 0) > 0);
    const before = (await beatsOf(database.url))['another'] ?? 0;
    sleeper.clock.advance(2_000);
    await eventually(async () => ((await beatsOf(database.url))['another'] ?? 0) > before);
    assert.not(stored.lost.aborted);
  });

  test('closing releases all leases of a process', async ({ participant }) => {
    const { coordination } = participant();
    const lease = await coordination.acquire(NAME, never);
    await coordination.close();
    const candidate = candidateOf(participant());
    await candidate.settled;
    assert.is(granted(candidate.lease()).token, lease.token + 1n);
  });

  test('coordination is unavailable while the MongoDB server is down, and works again when the server is back', async ({
    participant,
    database,
    leave,
  }) => {
    const proxy = await openProxy(server);
    leave.push(() => proxy.close());
    const { coordination } = participant(database.through(proxy));
    for (const fail of [proxy.refuse, proxy.freeze, proxy.loseResponses]) {
      await coordination.write('value', 'before');
      fail();
      await rejects(coordination.acquire(NAME, never), CoordinationUnavailable);
      await rejects(coordination.read('value'), CoordinationUnavailable, /^MongoDB can't be used: .+[^.]\.$/);
      proxy.restore();
      let value: string | null = null;
      await eventually(async () => (value = await coordination.read('value').catch(() => null)) !== null);
      assert.is(value, 'before');
    }
  });

  test('cut or half-open MongoDB connections are replaced', async ({ participant, database, leave }) => {
    const proxy = await openProxy(server);
    leave.push(() => proxy.close());
    const { coordination } = participant(database.through(proxy));
    for (const fail of [proxy.drop, proxy.halfOpen]) {
      await coordination.write('value', 'kept');
      fail();
      let value: string | null = null;
      await eventually(async () => (value = await coordination.read('value').catch(() => null)) !== null);
      assert.is(value, 'kept');
    }
  });

  test.run();
}
