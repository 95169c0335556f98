import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../../project.ts';
import { eventually } from '../../waiting.ts';

const orphans = suite('a probe process');

const start = async () => {
  const parent = fork(compiled('test/runners/processes/parent-process.ts'));
  const [pid] = (await once(parent, 'message')) as [number];
  return { parent, pid };
};

/** Returns whether a process has ended, even if its exit code was not collected yet. */
const isGone = (pid: number): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};

orphans(
  'a probe process ends with its parent, even if the parent is killed and a probe blocks the main thread',
  async () => {
    if (!existsSync('/proc/self/status')) {
      console.log('skipped: /proc is missing');
      return;
    }
    const { parent, pid } = await start();
    assert.not.ok(isGone(pid));
    const ended = once(parent, 'exit');
    parent.kill('SIGKILL');
    await ended;
    await eventually(() => isGone(pid));
  },
);

orphans('each thread of a probe process yields CPU time and memory to the service', async () => {
  if (!existsSync('/proc/self/status')) {
    console.log('skipped: /proc is missing');
    return;
  }
  const { parent, pid } = await start();
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    assert.ok(tasks.length > 1);
    for (const task of tasks) {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
      assert.is(stat.slice(stat.lastIndexOf(')')).split(' ')[17], '5');
    }
    assert.is(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '700');
  } finally {
    const ended = once(parent, 'exit');
    parent.kill('SIGKILL');
    await ended;
  }
});

orphans.run();
