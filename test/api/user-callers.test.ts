import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Caller } from '../../http/routes/caller.ts';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('callers that are users');

const userOf = (id: string): Caller => ({
  actor: { kind: 'user', id, role: 'editor' },
  organizationId: 'organization1',
  limitKey: `user ${id}`,
  userId: id,
  sessionId: `session of ${id}`,
  keyId: null,
});

/** Serves the notes to callers that are users. The credentials of a request name the user. */
const servedToUsers = async (rateLimit?: number) => {
  const served = await serveNotes({
    identify: async (authorization) => userOf(authorization ?? ''),
    ...(rateLimit !== undefined && { rateLimit }),
  });
  const write = (user: string, headers: Record<string, string> = {}) =>
    served.bare({
      method: 'POST',
      path: '/v1/notes',
      headers: { authorization: user, ...headers },
      body: { title: 'one' },
    });
  return { ...served, write };
};

test('actions of a user are recorded and logged with the id of the user, and the client address and the user agent are encrypted with a key of the organization and month', async () => {
  const { write, contexts, logged, keys, stop } = await servedToUsers();
  assert.is((await write('ann')).status, 201);
  const [context] = contexts;
  assert.equal(context?.actor, { kind: 'user', id: 'ann', role: 'editor' });
  assert.is(context?.organizationId, 'organization1');
  assert.is(context?.clientAddress?.key, 'clients-organization1-2026-11');
  const location = { organizationId: 'organization1', field: 'client_address' };
  assert.is(context?.clientAddress && (await keys.open(context.clientAddress, location)), '127.0.0.1');
  assert.equal((JSON.parse(logged.at(-1) ?? '') as { actor: unknown }).actor, { kind: 'user', id: 'ann' });
  await stop();
});

test('each user has a separate rate limit and separate Idempotency-Keys', async () => {
  const { write, notes, stop } = await servedToUsers(2);
  const key = { 'idempotency-key': 'once' };
  const first = await write('ann', key);
  assert.is((await write('ann', key)).headers['idempotent-replayed'], 'true');
  assert.is((await write('ann', key)).status, 429);
  const other = await write('ben', key);
  assert.is(other.status, 201);
  assert.is(other.headers['idempotent-replayed'], undefined);
  assert.is.not(other.headers.location, first.headers.location);
  assert.is(notes.size, 2);
  await stop();
});

test('the request log contains the id of the API key', async () => {
  const served = await serveNotes();
  await served.request({ path: '/v1/notes' });
  const [line = ''] = served.logged;
  assert.equal((JSON.parse(line) as { actor: unknown }).actor, { kind: 'api_key', id: 'editorkey000' });
  assert.not.match(line, KEY_OF.editor);
  await served.stop();
});

test.run();
