import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OperatorError } from '../../../service/operator-error.ts';
import { takeSpoolFolder } from '../../../service/remote-run/spool-folder.ts';
import { inTemporaryFolder } from '../temporary.ts';

const test = suite('the spool folder of a remote runner');

/** Returns the content of a lock file of another process. */
const lockOf = (pid: number): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
};

test(
  'a spool folder is created so that only its owner can read it, and its lock is released at the end',
  inTemporaryFolder(async (folder) => {
    const { path, release } = takeSpoolFolder(join(folder, 'spool'));
    assert.is(statSync(path).mode & 0o077, 0);
    release();
    takeSpoolFolder(path).release();
  }),
);

test(
  'a spool folder is refused while another process uses it, and taken over after that process was killed',
  inTemporaryFolder(async (folder) => {
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    writeFileSync(join(folder, 'lock'), lockOf(other.pid ?? 0));
    assert.throws(
      () => takeSpoolFolder(folder),
      (error: Error) => error instanceof OperatorError && error.message.includes('Another runner uses the folder'),
    );
    other.kill('SIGKILL');
    await once(other, 'exit');
    takeSpoolFolder(folder).release();
  }),
);

test(
  'a spool folder is taken over if the pid in its lock was reused or the lock is damaged',
  inTemporaryFolder(async (folder) => {
    for (const text of [`${process.ppid} 1`, '', 'nonsense']) {
      writeFileSync(join(folder, 'lock'), text);
      takeSpoolFolder(folder).release();
    }
  }),
);

test(
  'a spool folder that cannot be created is rejected',
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => takeSpoolFolder(join(folder, 'file')),
      (error: Error) => error instanceof OperatorError && error.message.includes('Results cannot be stored in'),
    );
  }),
);

test.run();
