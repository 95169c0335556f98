import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from './temporary.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import { compiled } from '../project.ts';

const test = suite<{ directory: string; remove: () => void }>('the service lock');

test.before.each((context) => {
  Object.assign(context, temporaryDirectory());
});
test.after.each(({ remove }) => {
  remove();
});

const refused = (directory: string): void => {
  try {
    lockService(directory).release();
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    assert.is(
      error.message,
      `Another Uptrail service is running on ${directory}. Stop it first, or give this one another DATA_DIR.`,
    );
    return;
  }
  assert.unreachable('a second service got the lock');
};

test('a second service on a directory is refused with the name of the directory, until the first service releases the lock', ({
  directory,
}) => {
  const lock = lockService(directory);
  refused(directory);
  refused(directory);
  lock.release();
  lockService(directory).release();
});

test('the service lock of one directory does not lock another directory', ({ directory }) => {
  const lock = lockService(directory);
  const other = temporaryDirectory();
  lockService(other.directory).release();
  lock.release();
  other.remove();
});

test('the service lock holds across processes, and is released by kill -9', async ({ directory }) => {
  const module = compiled('stores/service-lock.ts');
  const program = `import(${JSON.stringify(module)}).then(({ lockService }) => {
    globalThis.lock = lockService(${JSON.stringify(directory)});
    console.log('locked');
    setInterval(() => undefined, 1000);
  });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  refused(directory);
  child.kill('SIGKILL');
  await once(child, 'close');
  lockService(directory).release();
});

test('the service lock of a missing directory fails with the reason', ({ directory }) => {
  assert.throws(() => lockService(join(directory, 'missing')), /directory does not exist/);
});

test.run();
