import { cpSync, readdirSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, serve } from './program.ts';

import {
  ADMIN_API_KEY,
  DATABASES,
  runSuccessfully,
  runRefused,
  create,
  readWhenBuilt,
  reactorsOf,
  withCoordination,
} from './backups.ts';

const test = suite('uptrail backup and restore');
test.after.each(endPrograms);

test(
  'a backup made during writes restores everything on a new machine, with halted reactors',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY };
    const program = await serve(environment);
    const { body: before } = await create(program, 'Before');
    assert.equal(await reactorsOf(program), {
      name: 'reactors',
      ready: true,
      state: 'active',
      lag_seconds: null,
      message: null,
    });
    const session = { id: 'session', value: '{}', owner: 'user', expires_at: Number.MAX_SAFE_INTEGER };
    await withCoordination(environment, ({ entries }) => entries.put('session', session, null, 0));
    const copying = new AbortController();
    const writer = (async () => {
      while (!copying.signal.aborted) assert.is((await create(program, 'Meanwhile')).status, 200);
    })();
    const copied = await runSuccessfully(environment, 'backup', `${folder}/copy`);
    copying.abort();
    await writer;
    assert.equal(readdirSync(`${folder}/copy`).sort(), ['artifacts', ...DATABASES, 'manifest.json'].sort());
    for (const name of readdirSync(`${folder}/copy`))
      assert.is(statSync(`${folder}/copy/${name}`).mode & 0o77, 0, name);
    assert.match(copied, 'secrets-key, in a different place.');
    assert.match(await runRefused(environment, 'backup', `${folder}/copy`), /copy already exists\./);
    assert.match(
      await runSuccessfully({}, 'backup', '--verify', `${folder}/copy`),
      /^The backup in .*copy, made at .*, is intact\.$/m,
    );
    assert.match(await runSuccessfully(environment, 'verify'), /events\.db: \d+ events up to position \d+, all intact/);
    await program.end('SIGTERM');

    const there = { DATA_DIR: `${folder}/restored`, ADMIN_API_KEY };
    const restored = await runSuccessfully(there, 'restore', `${folder}/copy`);
    assert.match(restored, `Copy the secrets-key file of the backed-up service to ${folder}/restored/secrets-key`);
    for (const [place, left] of [
      [environment, 1],
      [there, 0],
    ] as const) {
      const sessions = await withCoordination(place, ({ entries }) => entries.listOfOwner('session', 'user', 0));
      assert.is(sessions.length, left);
    }
    assert.match(restored, /^All sessions have ended: users have to sign in again\.$/m);
    assert.match(
      await runRefused({ ...there, PORT: '0' }, 'serve'),
      /keys\.db exists, but the key that unwraps it is missing/,
    );
    cpSync(`${folder}/data/secrets-key`, `${folder}/restored/secrets-key`);

    const second = await serve(there);
    assert.match(second.output.stdout, /Reactors are halted\. A backup of .* was restored at .*\./);
    const path = `/v1/pages/${(before as { id: string }).id}`;
    assert.equal(await readWhenBuilt(second, path), { status: 200, body: before });
    assert.is((await reactorsOf(second)).state, 'halted');
    assert.match(await (await fetch(`${second.address}/metrics`)).text(), /^reactors_halted 1$/m);
    await runSuccessfully(there, 'reactors', 'resume');
    assert.is((await reactorsOf(second)).state, 'active');
    assert.match(await (await fetch(`${second.address}/metrics`)).text(), /^reactors_halted 0$/m);
    // The keys match the logs, so addresses in the history can be decrypted.
    assert.match(await runSuccessfully(there, 'history', 'page', (before as { id: string }).id), 'from 127.0.0.1');
    await second.end('SIGTERM');
  }),
);

test.run();
