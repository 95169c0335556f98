import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { ask, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('a service on a full disk');
test.after.each(endPrograms);

/** Takes all space there is. */
const fill = (file: string): void => {
  const descriptor = openSync(file, 'w');
  const block = Buffer.alloc(4_096, 1);
  try {
    for (;;) writeSync(descriptor, block);
  } catch {
    closeSync(descriptor);
  }
};

test(
  'starts, answers reads, refuses writes with a sentence, and writes again when there is room',
  inTemporaryFolder(async (folder) => {
    mkdirSync(`${folder}/disk`);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', `${folder}/disk`]);
    if (mounted.status !== 0) {
      console.log('skipped: this user may not mount a file system');
      return;
    }
    try {
      const environment = { DATA_DIR: `${folder}/disk/data`, ADMIN_API_KEY };
      const first = await serve(environment);
      const { body } = await ask(first, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Kept' });
      const path = `/v1/pages/${(body as { id: string }).id}`;
      await first.end('SIGTERM');
      fill(`${folder}/disk/filler`);

      const second = await serve(environment);
      assert.match(second.said.stderr, /The disk of .* is full/);
      let answer = await ask(second, ADMIN_API_KEY, 'GET', path);
      while (answer.status === 503) answer = await ask(second, ADMIN_API_KEY, 'GET', path);
      assert.equal(answer, { status: 200, body });
      assert.is((await ask(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' })).status, 503);
      assert.match(await (await fetch(`${second.address}/health/ready`)).text(), 'The disk is full.');

      rmSync(`${folder}/disk/filler`);
      let written = await ask(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' });
      while (written.status === 503) written = await ask(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' });
      assert.is(written.status, 200);
      await second.end('SIGTERM');
    } finally {
      await endPrograms();
      spawnSync('umount', ['-l', `${folder}/disk`]);
    }
  }),
);

test.run();
