import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../cli/temporary.ts';
import { ask, endPrograms, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('uptrail backup');
test.after.each(endPrograms);

test(
  'copies what is needed while the service writes, so that a service on the copy has all that was there',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY };
    const program = await serve(environment);
    const create = (name: string) => ask(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name });
    const { body: before } = await create('Before');
    const copying = new AbortController();
    const writer = (async () => {
      while (!copying.signal.aborted) assert.is((await create('Meanwhile')).status, 200);
    })();
    const copied = await uptrail(environment, 'backup', `${folder}/copy`);
    copying.abort();
    await writer;
    assert.is(copied.code, 0, copied.stderr);
    assert.equal(readdirSync(`${folder}/copy`).sort(), ['coordination.db', 'events.db', 'keys.db', 'results.db']);
    assert.match(copied.stdout, 'secrets-key too, and keep it somewhere else.');
    const again = await uptrail(environment, 'backup', `${folder}/copy`);
    assert.is(again.code, 1);
    assert.match(again.stderr, /coordination\.db is there already\./);
    await program.end('SIGTERM');

    const restored = `${folder}/restored`;
    mkdirSync(restored);
    for (const name of readdirSync(`${folder}/copy`)) copyFileSync(`${folder}/copy/${name}`, `${restored}/${name}`);
    const withoutKey = await uptrail({ DATA_DIR: restored, PORT: '0' }, 'serve');
    assert.match(withoutKey.stderr, /^.*keys\.db is there, but not the key that opens it\. Restore .*secrets-key/);
    copyFileSync(`${folder}/data/secrets-key`, `${restored}/secrets-key`);
    assert.not.ok(existsSync(`${restored}/read-models`));

    const second = await serve({ DATA_DIR: restored, ADMIN_API_KEY });
    const path = `/v1/pages/${(before as { id: string }).id}`;
    let answer = await ask(second, ADMIN_API_KEY, 'GET', path);
    while (answer.status === 503) answer = await ask(second, ADMIN_API_KEY, 'GET', path);
    assert.equal(answer, { status: 200, body: before });
    // The keys are those of the logs.
    const told = await uptrail({ DATA_DIR: restored }, 'history', 'page', (before as { id: string }).id);
    assert.match(told.stdout, 'from 127.0.0.1');
    await second.end('SIGTERM');
  }),
);

test(
  'leaves a cluster to its servers, and what may be left of one machine alone',
  inTemporaryFolder(async (folder) => {
    const cluster = {
      DATA_DIR: folder,
      EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/uptrail',
      SECRETS_KEY: '5'.repeat(64),
    };
    const { code, stderr } = await uptrail(cluster, 'backup', `${folder}/copy`);
    assert.is(code, 1);
    assert.match(stderr, /In a cluster back up EventStoreDB and MongoDB/);
    assert.not.ok(existsSync(`${folder}/copy`));
  }),
);

test.run();
