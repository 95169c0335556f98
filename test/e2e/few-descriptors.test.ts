import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { PROGRAM } from './program.ts';

const test = suite('a process with a low limit of open files');

/** Returns the arguments for bash that run the program with a limit of open files. */
const limited = (limit: number, command: string): string[] => [
  '-c',
  `ulimit -n ${limit}; exec "$@"`,
  'bash',
  process.execPath,
  ...PROGRAM,
  command,
];

test('a command whose limit of open files is too low reports the limit, whatever error Node.js throws', () => {
  for (const limit of [64, 96]) {
    const { status, stderr } = spawnSync('bash', limited(limit, 'checks'), { encoding: 'utf8' });
    assert.is(status, 1);
    assert.match(stderr, `This process may open only ${limit} files and connections, and needs 512 to start.`);
  }
});

test(
  'a service reports a limit of open files that is too low, and starts with the limit that its message recommends',
  inTemporaryFolder(async (folder) => {
    const env = { ...process.env, DATA_DIR: `${folder}/data`, PORT: '0', LOG_LEVEL: 'warn' };
    const { status, stderr } = spawnSync('bash', limited(256, 'serve'), { encoding: 'utf8', env });
    assert.is(status, 1);
    assert.match(stderr, 'This process may open only 256 files and connections, and needs 512 to start.');

    const child = spawn('bash', limited(512, 'serve'), { env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.resume();
    const ended = once(child, 'exit');
    try {
      await eventually(() => output.includes('http://127.0.0.1:') || child.exitCode !== null, { within: 60_000 });
      assert.match(output, 'http://127.0.0.1:');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    assert.is(child.exitCode, 0);
  }),
);

test.run();
