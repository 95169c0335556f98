import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROGRAM } from './program.ts';

const test = suite('a process that may open too few files to begin');

test('says so, whatever Node.js makes of it', () => {
  for (const limit of [64, 96]) {
    const command = `ulimit -n ${limit}; exec "$@"`;
    const { status, stderr } = spawnSync('bash', ['-c', command, 'bash', process.execPath, ...PROGRAM, 'checks'], {
      encoding: 'utf8',
    });
    assert.is(status, 1);
    assert.match(stderr, `This process may open ${limit} files and connections, and needs 256 to begin.`);
  }
});

test.run();
