import * as assert from 'uvu/assert';
import { encodeBytes } from '../../../../../probes/script/frames.ts';
import { answerOf, begin, returned, run, sandboxesOf, suiteOfSandboxes } from '../open-sandboxes.ts';
import { forkBomb } from './fork-bomb.ts';
import { realPause } from '../../../../waiting.ts';

const suited = await suiteOfSandboxes('a script in a sandbox');
const { tests, test } = suited;

const kinds = { multistep: { warm: 0, most: 3 } };
const byKernel = await sandboxesOf(suited, { kinds });
const byLooks = await sandboxesOf(suited, { kinds, withoutGroups: true });

const MiB = 1_024 * 1_024;

const bombs: [string, string, object][] = [
  [
    'more memory than its limit',
    `const held = [];
     for (;;) { held.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
    { how: 'memory', limit: 512 },
  ],
  [
    'more memory than its limit in several processes together',
    `const { spawn } = require('node:child_process');
     const hold = 'const held = []; for (let n = 0; n < 12; n++) held.push(Buffer.alloc(8388608, 1)); setInterval(() => held, 1000)';
     for (let n = 0; n < 8; n++) spawn(process.execPath, ['-e', hold], { detached: true, stdio: 'ignore' });
     await new Promise(() => undefined);`,
    { how: 'memory', limit: 512 },
  ],
  [
    'more memory than its limit in files and buffers together',
    `const fs = require('node:fs');
     for (let n = 0; n < 12; n++) fs.writeFileSync('/tmp/' + n, Buffer.alloc(10 * 1024 * 1024, 1));
     const held = [];
     for (;;) { held.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
    { how: 'memory', limit: 512 },
  ],
  [
    'more processes than its limit',
    `const fs = require('node:fs');
     const { spawn } = require('node:child_process');
     fs.writeFileSync('/tmp/call', Buffer.from('BOMB', 'base64'), { mode: 0o755 });
     spawn('/tmp/call', { stdio: 'ignore' });
     await new Promise(() => undefined);`,
    { how: 'processes', limit: 64 },
  ],
];

for (const [by, sandboxes] of [
  ['the kernel', byKernel],
  ['the supervisor', byLooks],
] as const)
  for (const [what, script, end] of bombs)
    test(`a script that uses ${what} is ended if ${by} enforces the limits`, async () => {
      const sandbox = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
      sandbox.stdout.resume();
      sandbox.stderr.resume();
      assert.is(await answerOf(sandbox, script.replace('BOMB', forkBomb().toString('base64'))), null);
      assert.equal(await sandbox.ended, end);
    });

test("a script can't use more disk space than its limit, in any of its folders", async () => {
  const value = returned(
    await run(
      byKernel,
      `const fs = require('node:fs');
       return ['/tmp', '/dev/shm'].map((folder) => {
         let written = 0;
         try {
           for (let n = 0; ; n++) { fs.writeFileSync(folder + '/' + n, Buffer.alloc(1024 * 1024, 1)); written += 1; }
         } catch (error) { return [error.code, written]; }
       });`,
    ),
  );
  assert.equal(value, [
    ['ENOSPC', 128],
    ['ENOSPC', 16],
  ]);
});

test("a script can't open more files than its limit", async () => {
  const value = returned(
    await run(
      byKernel,
      `const fs = require('node:fs');
       let count = 0;
       try { for (;;) { fs.openSync('/dev/null', 'r'); count += 1; } } catch (error) { return [error.code, count < 1024]; }`,
    ),
  );
  assert.equal(value, ['EMFILE', true]);
});

const streams: [string, string][] = [
  ['standard output', 'process.stdout'],
  ['standard error', 'process.stderr'],
  ['the stream of frames', 'control'],
];
for (const [what, stream] of streams)
  test(`endless output of a script on ${what} does not increase the memory of the service`, async () => {
    const sandbox = await byKernel.take('multistep', AbortSignal.timeout(60_000));
    const before = process.memoryUsage.rss();
    const chunk = encodeBytes(Buffer.alloc(60_000)).toString('base64');
    sandbox.begin(
      begin(
        `const chunk = Buffer.from('${chunk}', 'base64');
         const write = () => { while (${stream}.write(chunk)); ${stream}.once('drain', write); };
         write();
         setInterval(() => require('node:fs').writeSync(${stream === 'control' ? 1 : 3}, ''), 50);`,
      ),
    );
    await realPause(1_000, 'the sandbox says as much as it can meanwhile');
    assert.ok(process.memoryUsage.rss() - before < 32 * MiB);
    await sandbox.end();
    assert.equal(await sandbox.ended, { how: 'ended' });
  });

test('a script that sends invalid frames is ended', async () => {
  const sandbox = await byKernel.take('multistep', AbortSignal.timeout(60_000));
  sandbox.begin(begin(`control.write(Buffer.alloc(100, 255)); await new Promise(() => undefined);`));
  try {
    await sandbox.frames.next();
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'BadFrame');
  }
  await sandbox.end();
});

tests.run();
