import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { refreshSession } from '../../../commands/sign-in/session-refresh.ts';
import { startSession } from '../../../commands/sign-in/session-start.ts';
import { activeUser } from '../../../commands/sign-in/account.ts';
import { changePassword } from '../../../commands/sign-in/user-passwords.ts';
import { createUser } from '../../../commands/organizations/users.ts';
import { NotSignedIn } from '../../../domain/errors.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { rejects } from '../../rejects.ts';
import { aContext, ProcessDied, dyingAtAppend, startProcess } from '../simulated-processes.ts';

const test = suite('changing a password');
const OLD = 'a long walk home';

test('changing a password ends all sessions except the current one, even if the process dies', async () => {
  const store = createMemoryEventStore('main');
  const shared = { keys: createMemoryKeys(), entries: createMemoryCoordination().entries };
  const { commands } = startProcess(store, shared);
  const system = () => aContext({ actor: { kind: 'system', id: 'test', role: 'admin' } });
  await commands.bind(createOrganization)({ name: 'Acme' }, system());
  const input = { email: 'ann@example.com', role: 'editor', password: OLD, first_name: null, last_name: null };
  const userId = await commands.bind(createUser)(input, system());
  const own = () => aContext({ actor: { kind: 'user', id: userId, role: 'editor' } });
  const user = await commands.bind(activeUser)({ userId, organizationId: own().organizationId });
  if (!user) throw new Error('There is no user.');
  const start = () => commands.bind(startSession)(user, ['password'], own());
  const [changing, other] = [await start(), await start()];
  const dying = startProcess(dyingAtAppend(store, 1), shared);
  const change = { old_password: OLD, new_password: 'another long walk' };
  await rejects(
    dying.commands.bind(changePassword)({ userId, sessionId: changing.sessionId }, change, own()),
    ProcessDied,
  );
  const origin = { network: '127.0.0.1', client: () => Promise.resolve({}) };
  const refresh = (token: string) => startProcess(store, shared).commands.bind(refreshSession)(token, origin, own());
  assert.is((await refresh(changing.refresh)).sessionId, changing.sessionId);
  await rejects(refresh(other.refresh), NotSignedIn);
});

test.run();
