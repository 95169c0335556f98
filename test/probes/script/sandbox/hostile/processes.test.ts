import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { answerOf, begin, returned, run, sandboxesOf, suiteOfSandboxes } from '../open-sandboxes.ts';
import { findLeftovers } from '../leftovers.ts';

const suited = await suiteOfSandboxes('a script in a sandbox');
const { tests, test } = suited;
const sandboxes = await sandboxesOf(suited, { kinds: { multistep: { warm: 0, most: 3 } } });

const taken = async () => {
  const sandbox = await sandboxes.take('multistep', AbortSignal.timeout(60_000));
  sandbox.stdout.resume();
  sandbox.stderr.resume();
  return sandbox;
};

test("a script can't signal processes outside its sandbox", async () => {
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  await once(bystander, 'spawn');
  const ended = once(bystander, 'exit');
  try {
    const value = returned(
      await run(
        sandboxes,
        `const codes = [];
         for (const pid of [${bystander.pid ?? 0}, ${process.pid}, ${process.ppid}])
           try { process.kill(pid, 'SIGKILL'); codes.push('done'); } catch (error) { codes.push(error.code); }
         process.on('SIGTERM', () => undefined);
         for (const pid of [-1, 1]) try { process.kill(pid, 'SIGTERM'); } catch {}
         return codes;`,
      ),
    );
    assert.equal(value, ['ESRCH', 'ESRCH', 'ESRCH']);
    assert.is(bystander.exitCode, null);
    assert.is(bystander.signalCode, null);
  } finally {
    bystander.kill('SIGKILL');
    await ended;
  }
});

test('each run of a script has a user of its own, which is not the user of the service', async () => {
  const [one, other] = await Promise.all([taken(), taken()]);
  try {
    const users = usersOfSandboxes();
    if (process.getuid?.() === 0) {
      assert.is(users.size, 2, [...users].join());
      for (const user of users) assert.ok(user >= 64_000);
    } else assert.equal([...users], [process.getuid?.()]);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

/** Returns the user ids of all processes in sandboxes. */
const usersOfSandboxes = (): Set<number> =>
  new Set(findLeftovers().processes.map((name) => statSync(`/proc/${name.split('-')[0] ?? ''}`).uid));

test('no child process outlives a script, even if it is detached', async () => {
  const sandbox = await taken();
  const before = findLeftovers().processes.length;
  const answer = await answerOf(
    sandbox,
    `const { spawn } = require('node:child_process');
     const loop = 'process.on("SIGTERM", () => undefined); process.on("SIGHUP", () => undefined); setInterval(() => undefined, 1000);';
     const again = 'require("node:child_process").spawn(process.execPath, ["-e", ' + JSON.stringify(loop) + '], { detached: true, stdio: "ignore", env: {} }).unref();';
     spawn(process.execPath, ['-e', loop], { detached: true, stdio: 'ignore', env: {} }).unref();
     spawn(process.execPath, ['-e', again], { detached: true, stdio: 'ignore', env: {} }).unref();
     await new Promise((resolve) => setTimeout(resolve, 1000));
     return require('node:fs').readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length;`,
  );
  assert.is(returned(answer), 4);
  assert.is(findLeftovers().processes.length, before + 2);
  await sandbox.end();
  assert.equal(findLeftovers().processes.length, 0);
});

test('a script leaves no core file and no other file', async () => {
  const before = readdirSync('/tmp').filter((name) => name.startsWith('core'));
  const sandbox = await taken();
  assert.is(await answerOf(sandbox, `process.abort();`), null);
  assert.equal(await sandbox.ended, { how: 'died', cause: 'it was ended by SIGABRT' });
  assert.equal(
    readdirSync('/tmp').filter((name) => name.startsWith('core')),
    before,
  );
});

const ends: [string, string, string][] = [
  ['exits with code 3', 'process.exit(3);', 'it ended with code 3'],
  ['exits with code 0 before it returns a result', 'process.exit(0);', 'it ended with code 0'],
  [
    'kills itself',
    `process.kill(process.pid, 'SIGKILL'); await new Promise(() => undefined);`,
    'it was ended by SIGKILL',
  ],
  [
    'throws outside of its test',
    `setImmediate(() => { throw new Error('x'); }); await new Promise(() => undefined);`,
    'it ended with code 1',
  ],
];
for (const [what, script, cause] of ends)
  test(`the sandbox of a script that ${what} ends, and reports the reason`, async () => {
    const sandbox = await taken();
    assert.is(await answerOf(sandbox, script), null);
    assert.equal(await sandbox.ended, { how: 'died', cause });
  });

test('a script that closes its streams is ended', async () => {
  const sandbox = await taken();
  sandbox.begin(begin(`for (const fd of [1, 2, 3]) require('node:fs').closeSync(fd); for (;;);`));
  const next = await sandbox.frames.next();
  assert.ok(next.done);
  await sandbox.end();
  assert.equal(await sandbox.ended, { how: 'ended' });
});

test('a script in an endless loop is ended', async () => {
  const sandbox = await taken();
  sandbox.begin(begin(`say({ type: 'looping' }); setImmediate(() => { for (;;); });`));
  await sandbox.frames.next();
  await sandbox.end();
  assert.equal(await sandbox.ended, { how: 'ended' });
});

tests.run();
