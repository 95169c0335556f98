import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { EmailTaken } from '../../../commands/reservations/user-emails.ts';
import { forgetUser, inviteUser, removeUser } from '../../../commands/organizations/users.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { userKey } from '../../../domain/organization/user.ts';
import { presentUsers } from '../../../domain/organization/users.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { FORGOTTEN } from '../../../stores/keys/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { rejects } from '../../rejects.ts';
import {
  aContext,
  withRandomDelays,
  ProcessDied,
  dyingAtAppend,
  delayedBefore,
  randomFrom,
  startProcess,
} from '../simulated-processes.ts';

const FIRST = 'org000000001';
const SECOND = 'org000000002';
const ann = { email: 'Ann@example.com', role: 'editor' };
const inFirst = () => aContext({ organizationId: FIRST });
const inSecond = () => aContext({ organizationId: SECOND });

const test = suite('the e-mail of a user');

/** Creates a log with two organizations, and processes that share the log and the keys. */
const scene = async () => {
  const store = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const started = (log: EventStore = store) => startProcess(log, { keys });
  const { commands } = started();
  for (const context of [inFirst(), inSecond()]) await commands.bind(createOrganization)({ name: 'Acme' }, context);
  /** returns the IDs of users by organization, from the log */
  const users = async () => {
    const { handle } = started().commands.bind((parts) => parts);
    const usersOf = async (organizationId: string) => {
      const state = await handle.load(organizationId, organizationDecider, { organizationId });
      return state.status === 'active' ? presentUsers(state).map(({ id }) => id) : [];
    };
    return [...(await usersOf(FIRST)), ...(await usersOf(SECOND))];
  };
  return { store, keys, started, users };
};

test('the e-mail address of a user is unique in the service, in any notation', async () => {
  const { started, users } = await scene();
  const { commands } = started();
  const { userId } = await commands.bind(inviteUser)(ann, inFirst());
  for (const [context, email] of [
    [inFirst(), 'ann@example.com'],
    [inSecond(), ' ANN@EXAMPLE.COM '],
  ] as const)
    await rejects(commands.bind(inviteUser)({ ...ann, email }, context), EmailTaken);
  assert.equal(await users(), [userId]);
});

test('the e-mail address of a removed user is free again, and the names of the user are readable until the user is forgotten', async () => {
  const { started, keys, users } = await scene();
  const { commands } = started();
  const first = await commands.bind(inviteUser)(ann, inFirst());
  await commands.bind(removeUser)(first.userId, inFirst());
  const second = await commands.bind(inviteUser)(ann, inSecond());
  await commands.bind(forgetUser)(second.userId, inSecond());
  const location = { organizationId: FIRST, field: 'email' };
  const { handle } = commands.bind((parts) => parts);
  const state = await handle.load(FIRST, organizationDecider, { organizationId: FIRST });
  const emailOf = () =>
    keys.open((state.status === 'active' && state.users[0]?.email) || { key: '', sealed: '' }, location);
  assert.is(await emailOf(), 'Ann@example.com');
  assert.is(await keys.forget(userKey(second.userId)), 'already');
  await commands.bind(forgetUser)(first.userId, inFirst());
  assert.is(await emailOf(), FORGOTTEN);
  const third = await commands.bind(inviteUser)(ann, inFirst());
  assert.equal(await users(), [third.userId]);
});

test('an e-mail address goes to the faster of two processes, and the slower one gets a conflict', async () => {
  const { store, started, users } = await scene();
  let quick = '';
  const slow = started(
    delayedBefore(store, 'UserInvited', async () => {
      ({ userId: quick } = await started().commands.bind(inviteUser)(ann, inSecond()));
    }),
  );
  await rejects(slow.commands.bind(inviteUser)(ann, inFirst()), EmailTaken);
  assert.equal(await users(), [quick]);
});

test('an e-mail address is not lost if a process dies before the invitation, and the repeated command succeeds', async () => {
  for (const appends of [1, 2]) {
    const { store, started, users } = await scene();
    const { commandId } = inFirst();
    const command = () => aContext({ organizationId: FIRST, repeatable: true, commandId });
    await rejects(started(dyingAtAppend(store, appends)).commands.bind(inviteUser)(ann, command()), ProcessDied);
    const { userId } = await started().commands.bind(inviteUser)(ann, command());
    assert.equal(await users(), [userId]);
    await rejects(started().commands.bind(inviteUser)(ann, inSecond()), EmailTaken);
  }
  const { store, started, users } = await scene();
  await rejects(started(dyingAtAppend(store, 1)).commands.bind(inviteUser)(ann, inFirst()), ProcessDied);
  const { userId } = await started().commands.bind(inviteUser)(ann, inSecond());
  assert.equal(await users(), [userId]);
});

test('an e-mail address belongs to one user, in any order of steps', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { store, started, users } = await scene();
    const random = randomFrom(seed);
    const contexts = [inFirst(), inSecond(), inFirst(), inSecond()];
    const done = await Promise.allSettled(
      contexts.map((context) => started(withRandomDelays(store, random)).commands.bind(inviteUser)(ann, context)),
    );
    const invited = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value.userId] : []));
    assert.equal(await users(), invited, `seed ${seed}`);
    assert.ok(invited.length <= 1, `seed ${seed}`);
  }
});

test.run();
