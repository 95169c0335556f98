import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { endSession } from '../../../commands/sign-in/sessions.ts';
import { startSession } from '../../../commands/sign-in/session-start.ts';
import { recordFailure } from '../../../commands/sign-in/sign-in-backoff.ts';
import { sweepSignIns } from '../../../commands/sign-in/sign-in-sweep.ts';
import { activeUser } from '../../../commands/sign-in/account.ts';
import { createUser } from '../../../commands/organizations/users.ts';
import type { EventData } from '../../../domain/event-types.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { rejects } from '../../rejects.ts';
import {
  aContext,
  withRandomDelays,
  ProcessDied,
  dyingAtAppend,
  randomFrom,
  startProcess,
  type Process,
} from '../simulated-processes.ts';

const ORGANIZATION = 'org000000001';
const NOW = Date.UTC(2026, 10, 20, 15);
const LATER = NOW + 20 * 60_000;
const system = () => aContext({ actor: { kind: 'system', id: 'test', role: 'admin' } });

const test = suite('the upkeep of sign-ins');

/** Creates processes that share a log and the entries of sign-ins. */
const scene = async () => {
  const store = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const { entries } = createMemoryCoordination();
  const started = (log: EventStore = store) => startProcess(log, { keys, entries });
  const { commands } = started();
  await commands.bind(createOrganization)({ name: 'Acme' }, system());
  /** returns all recorded failed sign-ins, as user and count */
  const recorded = async (): Promise<string[]> =>
    (await store.readAll({ after: -1n }))
      .filter(({ type }) => type === 'SignInsFailed')
      .map(({ data }) => data as EventData['SignInsFailed'])
      .map(({ user_id, count }) => `${user_id} ${count}`)
      .sort();
  const ends = async () =>
    (await store.readAll({ after: -1n }))
      .filter(({ type }) => type === 'SessionEnded')
      .map(({ data, metadata: { actor } }) => [(data as EventData['SessionEnded']).reason, actor.kind]);
  return { store, entries, started, commands, recorded, ends };
};

const userNumber = (n: number): string => `user${n.toString().padStart(8, '0')}`;
const failing = async ({ commands }: Process, userId: string, network = '192.0.2.1'): Promise<void> => {
  const failed = { userId, organizationId: ORGANIZATION, network, clientAddress: null };
  await commands.bind(recordFailure)(failed, NOW);
};
/** Runs the sweep until there is nothing left to summarize. */
const summingUp = async ({ commands }: Process, now = LATER): Promise<void> => {
  while ((await commands.bind(sweepSignIns)(now)) > 0);
};

test('two concurrent processes record the failed sign-ins of many accounts once each', async () => {
  const { store, started, entries, recorded } = await scene();
  const random = randomFrom(16);
  const [one, other] = [started(withRandomDelays(store, random)), started(withRandomDelays(store, random))];
  const expected: string[] = [];
  for (let n = 0; n < 450; n++) {
    for (let count = 0; count <= n % 3; count++) await failing(n % 2 === 0 ? one : other, userNumber(n));
    expected.push(`${userNumber(n)} ${(n % 3) + 1}`);
  }
  await summingUp(one, NOW);
  assert.equal(await recorded(), []);
  await Promise.all([summingUp(one), summingUp(other)]);
  assert.equal(await recorded(), expected.sort());
  assert.equal(await entries.listExpired('sign_in', LATER, 10), []);
});

test('failed sign-ins are recorded once although a process died after it stored the event and before it removed the entries', async () => {
  const { store, started, recorded } = await scene();
  for (const n of [1, 2, 3]) await failing(started(), userNumber(n));
  for (const append of [1, 2]) {
    await rejects(started(dyingAtAppend(store, append)).commands.bind(sweepSignIns)(LATER), ProcessDied);
  }
  await summingUp(started());
  assert.equal(
    await recorded(),
    [1, 2, 3].map((n) => `${userNumber(n)} 1`),
  );
});

test("the sweep of sign-ins continues with the other accounts if the failures of one account can't be recorded", async () => {
  const { started, entries, recorded } = await scene();
  for (const n of [1, 2]) await failing(started(), userNumber(n));
  await entries.putAll('sign_in', [{ id: 'failed broken', value: 'no JSON', owner: null, expires_at: 0 }]);
  await rejects(started().commands.bind(sweepSignIns)(LATER), SyntaxError);
  assert.equal(
    await recorded(),
    [1, 2].map((n) => `${userNumber(n)} 1`),
  );
  assert.is((await entries.listExpired('sign_in', LATER, 10)).length, 1);
});

/** Creates a user with a session. */
const aSession = async ({ commands }: Process) => {
  const input = { email: 'ann@example.com', role: 'editor', password: 'a long walk home' };
  const userId = await commands.bind(createUser)({ ...input, first_name: null, last_name: null }, system());
  const user = await commands.bind(activeUser)({ userId, organizationId: ORGANIZATION });
  if (!user) throw new Error('There is no user.');
  const actor = { kind: 'user', id: userId, role: 'editor' } as const;
  const { sessionId } = await commands.bind(startSession)(user, ['password'], aContext({ actor }));
  return { sessionId, actor };
};

test('the sweep records the end of a session only if the process that ended the session has died', async () => {
  const { store, started, entries, ends } = await scene();
  const { sessionId, actor } = await aSession(started());
  const dying: EventStore = { ...store, append: () => Promise.reject(new ProcessDied('The process has died.')) };
  const ending = started(dying).commands.bind(endSession)(sessionId, 'signed_out', aContext({ actor }));
  await rejects(ending, ProcessDied);
  assert.is(await entries.get('session', sessionId, NOW), null);
  await summingUp(started(), NOW + 1_000);
  assert.equal(await ends(), []);
  await Promise.all([summingUp(started()), summingUp(started())]);
  assert.equal(await ends(), [['signed_out', 'system']]);
  for (const kind of ['session', 'session_token'] as const) {
    assert.equal(await entries.listExpired(kind, Number.MAX_SAFE_INTEGER, 10), []);
  }
});

test('expired sessions are removed without an event', async () => {
  const { started, entries, ends } = await scene();
  await aSession(started());
  await summingUp(started(), NOW + 31 * 86_400_000);
  assert.equal(await ends(), []);
  assert.equal(await entries.listExpired('session', Number.MAX_SAFE_INTEGER, 10), []);
});

test.run();
