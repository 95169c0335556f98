import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../../project.ts';

const test = suite('the exit of a process whose threads use SQLite');

test('a process ends with its exit code even if its threads are executing SQLite calls', () => {
  for (let times = 0; times < 10; times++) {
    const { status, signal, stderr } = spawnSync(process.execPath, [compiled('test/stores/sqlite/busy-thread.ts')], {
      encoding: 'utf8',
    });
    assert.equal({ status, signal, stderr }, { status: 3, signal: null, stderr: '' });
  }
});

test.run();
