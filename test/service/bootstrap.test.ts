import { existsSync, readFileSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bootstrap } from '../../service/bootstrap.ts';
import { makeDataDirectory } from '../../service/embedded/data-directory.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createApiKey, revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { inTemporaryFolder } from './temporary.ts';

const start = (store: EventStore, dataDir: string, adminApiKey: string | null = null) => {
  const handle = createHandle({ store, clock: Date.now });
  return bootstrap({ handle, logId: 'log', keyFile: makeDataDirectory(dataDir).adminApiKey, adminApiKey });
};

/** Returns the type and the hash of every event. */
const happened = async (store: EventStore) =>
  (await store.readAll({ after: 0n })).map(({ type, data }) => [type, (data as { hash?: string }).hash]);

const test = suite('the first start');

test(
  'the first start generates an admin key, shows it once, and writes it to a file that only its owner can read',
  inTemporaryFolder(async (folder) => {
    const store = createMemoryEventStore('main');
    const made = await start(store, `${folder}/data`);
    if (made.kind !== 'generated') throw new Error(made.kind);
    assert.match(made.key, /^upt_[\w-]{43}$/);
    const file = `${folder}/data/admin-api-key`;
    assert.is(readFileSync(file, 'utf8'), `${made.key}\n`);
    assert.is(statSync(file).mode & 0o777, 0o600);
    assert.is(statSync(`${folder}/data`).mode & 0o777, 0o700);
    assert.equal(await happened(store), [
      ['OrganizationCreated', undefined],
      ['ApiKeyCreated', hashOfApiKey(made.key)],
    ]);
    assert.equal(await start(store, `${folder}/data`), { kind: 'kept' });
    assert.is((await happened(store)).length, 2);
  }),
);

test(
  'a first start that was killed after writing the key file continues with that key',
  inTemporaryFolder(async (folder) => {
    const first = await start(createMemoryEventStore('main'), folder);
    assert.equal(await start(createMemoryEventStore('main'), folder), first);
  }),
);

test(
  'the first start uses the key of ADMIN_API_KEY without writing it to a file, and a later start replaces it by another key',
  inTemporaryFolder(async (folder) => {
    const store = createMemoryEventStore('main');
    assert.equal(await start(store, folder, 'first'), { kind: 'environment', first: true });
    assert.equal(await start(store, folder, 'first'), { kind: 'environment', first: false });
    assert.equal(await start(store, folder, 'second'), { kind: 'environment', first: false });
    assert.not.ok(existsSync(`${folder}/admin-api-key`));
    assert.equal(await happened(store), [
      ['OrganizationCreated', undefined],
      ['ApiKeyCreated', hashOfApiKey('first')],
      ['ApiKeyCreated', hashOfApiKey('second')],
      ['ApiKeyRevoked', hashOfApiKey('first')],
    ]);
  }),
);

test(
  'a start reports that the key of ADMIN_API_KEY was revoked, and does not restore it',
  inTemporaryFolder(async (folder) => {
    const store = createMemoryEventStore('main');
    await start(store, folder, 'first');
    const [, created] = await store.readAll({ after: 0n });
    const { organization_id, api_key_id } = created?.data as { organization_id: string; api_key_id: string };
    const dependencies = { handle: createHandle({ store, clock: Date.now }) };
    const other = { name: 'Other', role: 'admin', expires_at: null, key: 'other' } as const;
    await createApiKey(dependencies)(other, commandLineContext(organization_id));
    await revokeApiKey(dependencies)(api_key_id, commandLineContext(organization_id));
    assert.equal(await start(store, folder, 'first'), { kind: 'revoked' });
    assert.is((await happened(store)).length, 4);
  }),
);

test.run();
