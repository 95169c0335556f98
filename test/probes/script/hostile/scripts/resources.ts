import * as assert from 'uvu/assert';
import { inTest, type HostileScript, type Ran } from '../hostile-script.ts';

const endedFor =
  (sentence: RegExp) =>
  ({ outcome, message }: Ran): void => {
    assert.is(outcome.status, 'error');
    assert.match(message, sentence);
  };

const TOO_MUCH = /used more than 512 MiB of memory and was ended/;

/** Scripts that try to use unlimited resources. */
export const RESOURCES: readonly HostileScript[] = [
  {
    type: 'multistep',
    title: 'a script that uses more than 512 MiB of memory for buffers is ended',
    script: inTest(`const held = []; for (;;) { held.push(Buffer.alloc(16 * 1024 * 1024, 1)); await pause(1); }`),
    expectation: endedFor(TOO_MUCH),
  },
  {
    type: 'multistep',
    title: 'a script that uses more than 512 MiB of memory for JavaScript objects is ended',
    script: inTest(
      `const held = []; for (;;) { held.push(Array.from({ length: 100000 }, () => ({}))); await pause(0); }`,
    ),
    expectation: endedFor(/used more than 512 MiB of memory|SIGABRT/),
  },
  {
    type: 'multistep',
    title: 'a script that uses more than 512 MiB of memory for WebAssembly and shared buffers is ended',
    script: inTest(`
  const held = [];
  for (;;) {
    held.push(new Uint8Array(new WebAssembly.Memory({ initial: 256, maximum: 256 }).buffer).fill(1));
    held.push(new Uint8Array(new SharedArrayBuffer(16 * 1024 * 1024)).fill(1));
    await pause(1);
  }`),
    expectation: endedFor(TOO_MUCH),
  },
  {
    type: 'multistep',
    title: 'a script whose processes together use more than 512 MiB of memory is ended',
    script: inTest(`
  for (let n = 0; n < 10; n++) real('child_process').spawn(process.execPath, ['-e', 'const held = []; for (let n = 0; n < 10; n++) held.push(Buffer.alloc(8388608, 1)); setInterval(() => held, 1000)'], { detached: true, stdio: 'ignore' });
  await new Promise(() => undefined);`),
    expectation: endedFor(/more than (512 MiB of memory|64 processes and threads)/),
  },
  {
    type: 'multistep',
    title: 'a script can write at most 128 MiB to /tmp and 16 MiB to /dev/shm',
    script: inTest(`
  for (const folder of ['/tmp', '/dev/shm']) {
    let written = 0;
    found(await attempt(() => { for (let n = 0; ; n++) { fs.writeFileSync(folder + '/fill' + n, Buffer.alloc(1048576, 1)); written += 1; } }));
    found(written);
    for (const name of fs.readdirSync(folder)) if (name.startsWith('fill')) fs.rmSync(folder + '/' + name);
  }`),
    expectation: ({ found }) => {
      assert.is(found[0], 'ENOSPC');
      assert.ok(Number(found[1]) <= 128);
      assert.is(found[2], 'ENOSPC');
      assert.ok(Number(found[3]) <= 16);
    },
  },
  {
    type: 'multistep',
    title: 'a script that creates a million empty files fails',
    timeout: 15,
    script: inTest(`for (let n = 0; n < 1_000_000; n++) fs.writeFileSync('/tmp/' + n, '');`),
    expectation: endedFor(/ENOSPC|ended|in time|within/),
  },
  {
    type: 'multistep',
    title: 'a script can open fewer than 1,024 files at the same time',
    script: inTest(
      `const held = []; found(await attempt(() => { for (;;) held.push(fs.openSync('/dev/null', 'r')); })); found(held.length < 1024); for (const fd of held) fs.closeSync(fd);`,
    ),
    expectation: ({ found }) => {
      assert.equal(found, ['EMFILE', true]);
    },
  },
  {
    type: 'multistep',
    title: 'a script that decompresses data into more than 512 MiB of memory is ended',
    script: inTest(`
  const zlib = require('node:zlib');
  let bomb = zlib.gzipSync(Buffer.alloc(100 * 1048576));
  const held = [];
  for (;;) held.push(zlib.gunzipSync(bomb).fill(1));`),
    expectation: endedFor(TOO_MUCH),
  },
  {
    type: 'multistep',
    title: 'a script with a regular expression that takes too long is ended at its time limit',
    timeout: 3,
    script: inTest(`found(/^(a+)+$/.test('a'.repeat(60) + 'b'));`),
    expectation: endedFor(/not done within 3 s/),
  },
];
