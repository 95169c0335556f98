import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../service/config/config.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { inProject, isInstalled, run, testWith } from './project.ts';
import { callsLeft, DROP_IN, settingOf, settingsOf, SOCKET_UNIT, UNIT, unitIn, type Settings } from './systemd.ts';

const test = suite('the systemd unit');

const verified = testWith(test, await isInstalled('systemd-analyze'));

for (const [name, dropIns] of [
  ['alone', []],
  ['with what scripts need', [DROP_IN]],
] as const) {
  verified(
    `the systemd unit is loadable, ${name}`,
    inTemporaryFolder(async (folder) => {
      const { code, output } = await run('systemd-analyze', ['verify', '--man=no', unitIn(folder, ...dropIns)]);
      assert.is(output, '');
      assert.is(code, 0);
    }),
  );
}

/**
 * Asserts that the exposure of a unit is at most `most` of 100, according to `systemd-analyze`. The exposure of a unit
 * without hardening is 96.
 */
const exposed = async (unit: string, most: number): Promise<void> => {
  const { code, output } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    `--threshold=${most}`,
    unit,
  ]);
  assert.is(code, 0, output);
};

verified(
  'the systemd unit limits the exposure of the machine to the service',
  inTemporaryFolder((folder) => exposed(unitIn(folder), 20)),
);

verified(
  'the drop-in for scripts increases the exposure of the machine only a little',
  inTemporaryFolder((folder) => exposed(unitIn(folder, DROP_IN), 33)),
);

const unit = settingsOf(UNIT);
const withScripts = settingsOf(UNIT, DROP_IN);

test('the systemd unit starts the program with write access only to its data folder', () => {
  assert.is(settingOf(unit, 'ExecStart'), '/usr/bin/node /opt/uptrail/dist/cli/uptrail.cjs serve');
  assert.is(settingOf(unit, 'StateDirectory'), 'uptrail');
  assert.is(settingOf(unit, 'ProtectSystem'), 'strict');
  const pairs = settingOf(unit, 'Environment')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]);
  assert.is(readConfig(Object.fromEntries(pairs)).dataDir, '/var/lib/uptrail');
  assert.is(settingOf(unit, 'TimeoutStopSec'), '25');
});

test('the socket unit listens on the default address of the service, and activates the service of the same name', () => {
  const socket = settingsOf(SOCKET_UNIT);
  const { host, port } = readConfig({});
  assert.equal(socket.get('ListenStream'), [`${host}:${port}`]);
  // Without these settings, the service gets one listening socket, and is the unit of the same name.
  for (const name of ['Accept', 'Service', 'ListenDatagram']) assert.not(socket.has(name));
});

verified(
  'the socket unit is loadable',
  inTemporaryFolder(async (folder) => {
    unitIn(folder);
    const file = join(folder, 'uptrail.socket');
    writeFileSync(file, inProject(SOCKET_UNIT));
    const { code, output } = await run('systemd-analyze', ['verify', '--man=no', file]);
    assert.is(output, '');
    assert.is(code, 0);
  }),
);

/** Returns the settings whose values differ, with the new values. */
const differing = (before: Settings, after: Settings): Record<string, string> =>
  Object.fromEntries(
    [...after.keys()]
      .filter((name) => name !== 'SystemCallFilter' && settingOf(before, name) !== settingOf(after, name))
      .map((name) => [name, settingOf(after, name)]),
  );

test('the drop-in for scripts grants only namespaces, an uncovered /proc, and control groups', () => {
  assert.equal(differing(unit, withScripts), {
    Delegate: 'memory pids',
    ProtectControlGroups: 'no',
    ProtectHostname: 'no',
    ProtectKernelLogs: 'no',
    ProtectKernelTunables: 'no',
    RestrictNamespaces: 'user mnt pid ipc uts cgroup net',
  });
});

verified('the drop-in for scripts grants the system calls that create a sandbox', async () => {
  const [before, after] = await Promise.all([callsLeft(unit), callsLeft(withScripts)]);
  assert.equal([...after].filter((call) => !before.has(call)).sort(), [
    'mount',
    'pivot_root',
    'sethostname',
    'umount2',
  ]);
  assert.equal(
    [...before].filter((call) => !after.has(call)),
    [],
  );
});

test.run();
