import * as assert from 'uvu/assert';
import { suite } from 'uvu';
import { answerOf, begin, openTestSandboxes, returned, run } from './open-sandboxes.ts';
import { findLeftovers } from './leftovers.ts';

const off = suite('scripts without a sandbox');

const kinds = { multistep: { warm: 0, most: 3 } };

for (const withoutGroups of [false, true]) {
  const where = withoutGroups ? ' and without cgroups' : '';

  off(`scripts without a sandbox${where} run in the same program, with the same messages`, async () => {
    const sandboxes = await openTestSandboxes({ mode: 'off', kinds, withoutGroups });
    assert.is(sandboxes.state().mode, 'off');
    try {
      const value = returned(
        await run(
          sandboxes,
          `const said = await new Promise((resolve) => {
             let text = '';
             require('node:net').connect(boot.proxySocket).on('data', (chunk) => { text += chunk; }).on('end', () => resolve(text));
           });
           require('node:fs').writeFileSync(boot.folder + '/file', 'x');
           return [said, process.env.SECRETS_KEY ?? null, process.env.HOME === boot.folder, process.cwd() === boot.folder];`,
        ),
      );
      assert.equal(value, ['proxy', null, true, true]);
    } finally {
      await sandboxes.stop();
    }
  });

  off(
    `scripts without a sandbox are killed with everything that they started, and leave nothing behind${where}`,
    async () => {
      const before = findLeftovers();
      const sandboxes = await openTestSandboxes({ mode: 'off', kinds, withoutGroups });
      const sandbox = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
      sandbox.stdout.resume();
      sandbox.stderr.resume();
      const pids = returned(
        await answerOf(
          sandbox,
          `const { spawn } = require('node:child_process');
         const loop = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000)';
         return [process.pid, ...[true, false].map((detached) => {
           const child = spawn(process.execPath, ['-e', loop], { detached, stdio: 'ignore' });
           child.unref();
           return child.pid;
         })];`,
        ),
      ) as number[];
      assert.is(pids.length, 3);
      const there = findLeftovers().processes;
      for (const pid of pids) assert.ok(there.some((name) => name.startsWith(`${pid}-`)));
      await sandbox.end();
      assert.equal(await sandbox.ended, { how: 'ended' });
      assert.equal(findLeftovers(undefined, there).processes, []);
      await sandboxes.stop();
      assert.equal(findLeftovers(), before);
    },
  );

  off(`scripts without a sandbox${where} are ended if they use too much memory or too many processes`, async () => {
    const sandboxes = await openTestSandboxes({ mode: 'off', kinds, withoutGroups });
    try {
      const bombs: [string, object][] = [
        [
          `const held = [];
           for (;;) { held.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
          { how: 'memory', limit: 512 },
        ],
        [
          `const { spawn } = require('node:child_process');
           for (;;) {
             spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
             await new Promise((resolve) => setTimeout(resolve, 5));
           }`,
          { how: 'processes', limit: 64 },
        ],
      ];
      for (const [script, end] of bombs) {
        const sandbox = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
        sandbox.begin(begin(script));
        assert.equal(await sandbox.ended, end);
      }
      assert.equal(findLeftovers().processes, []);
    } finally {
      await sandboxes.stop();
    }
  });
}

off.run();
