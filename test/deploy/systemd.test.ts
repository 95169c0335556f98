import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../service/config/config.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { inProject, isInstalled, run, testWith } from './project.ts';

const text = inProject('deploy/systemd/uptrail.service');

/** The unit with a Node.js and a program that are on this machine. */
const unitIn = (folder: string): string => {
  const unit = join(folder, 'uptrail.service');
  writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
  return unit;
};

const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';

const test = suite('the systemd unit');

const verified = testWith(test, await isInstalled('systemd-analyze'));

verified(
  'is one that systemd can load',
  inTemporaryFolder(async (folder) => {
    const { code, output } = await run('systemd-analyze', ['verify', '--man=no', unitIn(folder)]);
    assert.is(output, '');
    assert.is(code, 0);
  }),
);

verified(
  'leaves the service little that it could do to the machine',
  inTemporaryFolder(async (folder) => {
    // Of 100; without any hardening it is 96.
    const { code, output } = await run('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      '--threshold=20',
      unitIn(folder),
    ]);
    assert.is(code, 0, output);
  }),
);

test('starts the program with its data where it may write, and nowhere else', () => {
  assert.is(settingOf('ExecStart'), '/usr/bin/node /opt/uptrail/dist/cli/uptrail.cjs serve');
  assert.is(settingOf('StateDirectory'), 'uptrail');
  assert.is(settingOf('ProtectSystem'), 'strict');
  const pairs = settingOf('Environment')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]);
  assert.is(readConfig(Object.fromEntries(pairs)).dataDir, '/var/lib/uptrail');
  assert.is(settingOf('TimeoutStopSec'), '25');
});

test.run();
