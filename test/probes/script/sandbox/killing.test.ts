import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { answerOf, begin, openTestSandboxes, returned, suiteOfSandboxes } from './open-sandboxes.ts';
import { findLeftovers, type SandboxLeftovers } from './leftovers.ts';
import { compiled } from '../../../project.ts';
import { eventually, realPause } from '../../../waiting.ts';

const { tests, test } = await suiteOfSandboxes('a sandbox that is killed');

const POINTS = { grouped: 30, alone: 10 };
/** Maximum time until a sandbox is ready, in milliseconds. */
const LATEST = 300;

const nothing = (before: SandboxLeftovers): SandboxLeftovers => ({
  ...before,
  processes: [],
  folders: [],
  groups: [],
  sockets: [],
});
const openFiles = (): number => readdirSync('/proc/self/fd').length;

/** Code of a run with child processes, connections and files. */
const BUSY = `
  const fs = require('node:fs');
  const { spawn } = require('node:child_process');
  fs.writeFileSync('/tmp/file', Buffer.alloc(1_000_000));
  spawn(process.execPath, ['-e', 'for (;;);'], { detached: true, stdio: 'ignore' }).unref();
  require('node:net').connect(boot.proxySocket).on('error', () => undefined);
  say({ type: 'busy' });
  process.stdout.write('x'.repeat(1_000_000));
  await new Promise((resolve) => setTimeout(resolve, 60_000));`;

for (const withoutGroups of [false, true])
  test(`a sandbox ${withoutGroups ? 'without' : 'with'} cgroups that is killed at any point leaves no process, mount, file, socket or cgroup`, async () => {
    const before = findLeftovers();
    const points = withoutGroups ? POINTS.alone : POINTS.grouped;
    let files = 0;
    let alive = 0;
    for (let point = 0; point <= points; point++) {
      const sandboxes = await openTestSandboxes({ kinds: { multistep: { warm: 1, most: 2 } }, withoutGroups });
      const taking = sandboxes.take('multistep', AbortSignal.timeout(60_000)).then(
        (sandbox) => {
          sandbox.begin(begin(BUSY));
        },
        () => undefined,
      );
      await realPause((LATEST * point) / points, 'it is stopped at each point of its start');
      const there = findLeftovers();
      if (there.processes.length > 0) alive += 1;
      await sandboxes.stop();
      await taking;
      assert.equal(findLeftovers(undefined, there.processes), nothing(before), `after ${point}`);
      // Some files are opened by Node.js itself at the first use, and remain open.
      if (point === 1) files = openFiles();
      if (point > 1) assert.ok(openFiles() <= files + 1, `after ${point}: ${openFiles()} files, not ${files}`);
    }
    assert.ok(alive > points / 2);
  });

test('killing one sandbox does not affect other sandboxes', async () => {
  const sandboxes = await openTestSandboxes({ kinds: { multistep: { warm: 0, most: 3 } } });
  try {
    const [one, other] = await Promise.all([
      sandboxes.take('multistep', AbortSignal.timeout(60_000)),
      sandboxes.take('multistep', AbortSignal.timeout(60_000)),
    ]);
    one.begin(begin(BUSY));
    await one.frames.next();
    await one.end();
    assert.is(returned(await answerOf(other, 'return 7;')), 7);
    await other.end();
  } finally {
    await sandboxes.stop();
  }
});

/**
 * Starts a process that opens sandboxes. The process reports the value of UPTRAIL_SANDBOX that marks the sandboxes, and
 * reports when the sandboxes are busy.
 */
const owner = async (...options: string[]) => {
  const secret = openSync(import.meta.filename, 'r');
  const child = spawn(
    process.execPath,
    [compiled('test/probes/script/sandbox/owner.ts'), ...options],
    // The last descriptor simulates a file that the owner inherits unintentionally.
    { stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', secret] },
  );
  closeSync(secret);
  const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, ...(JSON.parse(chunk.toString()) as { mark: string; inherited: string[] }) };
};

const gone = async (mark: string, processes: readonly string[]): Promise<void> => {
  await eventually(() => findLeftovers(mark, processes).processes.length === 0, { what: 'no processes are left' });
};

test('kill -9 of the service leaves no process and no mount, and the next start of the service removes everything else', async () => {
  for (const options of [[], ['without groups']]) {
    const before = findLeftovers();
    const { child, mark } = await owner(...options);
    const running = findLeftovers(mark);
    // There are two busy sandboxes, each with bubblewrap outside and inside, Node.js and a child process, and one spare
    // sandbox.
    assert.ok(running.processes.length >= 2 * 4 + 3, running.processes.join());
    assert.is(running.folders.length, 1);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await gone(mark, running.processes);
    const sandboxes = await openTestSandboxes({ withoutGroups: false });
    await sandboxes.stop();
    assert.equal(findLeftovers(mark, running.processes), nothing(before));
  }
});

test('a sandbox inherits no files that the service inherited', async () => {
  const { child, inherited, mark } = await owner();
  const { processes } = findLeftovers(mark);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await gone(mark, processes);
  await (await openTestSandboxes()).stop();
  assert.ok(inherited.length > 4);
  for (const link of inherited) assert.match(link, /^(\/dev\/null|pipe:|socket:|anon_inode:|\/proc\/\d+\/fd$)/);
});

tests.run();
