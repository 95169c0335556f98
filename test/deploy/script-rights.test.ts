import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { services, type Service } from './compose.ts';
import { canConfine, runConfined, type Confinement } from './confined.ts';
import { containerConfinement } from './container-confinement.ts';
import { isInstalled, testWith } from './project.ts';
import { DROP_IN, settingsOf, UNIT, type Settings } from './systemd.ts';
import { unitConfinement } from './unit-confinement.ts';

const rights = suite('what sandboxes of scripts may do');
const confines = await canConfine();
const test = testWith(rights, confines);
const browserTest = testWith(rights, confines && (await isInstalled('chromium')));

/** Why no sandbox can be made by who is confined so; nothing: it can. */
const whyNot = async (folder: string, confinement: Confinement): Promise<string> => {
  const { code, output } = await runConfined(folder, confinement, 'build/test/deploy/trial.js');
  assert.is(code, 0, output);
  return output.trim();
};

/** What a browser shows in a sandbox there. */
const shown = async (folder: string, confinement: Confinement): Promise<string> =>
  (await runConfined(folder, confinement, 'build/test/deploy/trial-browser.js')).output.trim();

const privileged = services['run-privileged'] ?? {};
const withoutOption = (option: string): Service => ({
  ...privileged,
  security_opt: (privileged.security_opt ?? []).filter((other) => other !== option),
});

test(
  'in the service `run-privileged`: all that they need',
  inTemporaryFolder(async (folder) => {
    assert.is(await whyNot(folder, containerConfinement(privileged)), '');
  }),
);

browserTest(
  'in the service `run-privileged`: also a browser',
  inTemporaryFolder(async (folder) => {
    assert.is(await shown(folder, containerConfinement(privileged)), '42 pages');
  }),
);

test(
  'in a container that hides parts of /proc: nothing, which is told',
  inTemporaryFolder(async (folder) => {
    const why = await whyNot(folder, containerConfinement(withoutOption('systempaths=unconfined')));
    assert.match(why, '/proc');
    assert.match(why, 'systempaths=unconfined');
  }),
);

/** What is told where a call is missing. */
const MISSING: Readonly<Record<string, string>> = {
  mount: 'forbids mounts',
  pivot_root: 'forbids mounts',
  sethostname: 'forbids to set the name of a sandbox',
  umount2: 'forbids mounts',
};

for (const [call, why] of Object.entries({ ...MISSING, unshare: 'forbids user namespaces' })) {
  test(
    `in a container whose seccomp profile has no ${call}: nothing, which is told`,
    inTemporaryFolder(async (folder) => {
      const confinement = containerConfinement(privileged);
      const { syscalls } = confinement.calls;
      const without = syscalls.map((rule) => ({ ...rule, names: rule.names.filter((name) => name !== call) }));
      const calls = { ...confinement.calls, syscalls: without };
      assert.match(await whyNot(folder, { ...confinement, calls }), why);
    }),
  );
}

const withScripts = settingsOf(UNIT, DROP_IN);

test(
  'in the systemd unit with its drop-in: all that they need',
  inTemporaryFolder(async (folder) => {
    assert.is(await whyNot(folder, await unitConfinement(withScripts)), '');
  }),
);

browserTest(
  'in the systemd unit with its drop-in: also a browser',
  inTemporaryFolder(async (folder) => {
    assert.is(await shown(folder, await unitConfinement(withScripts)), '42 pages');
  }),
);

test(
  'in the systemd unit alone: nothing, which is told',
  inTemporaryFolder(async (folder) => {
    assert.match(await whyNot(folder, await unitConfinement(settingsOf(UNIT))), 'forbids user namespaces');
  }),
);

/** The unit with its drop-in, but for one line of that. */
const without = (name: string, value: string): Settings => new Map([...withScripts, [name, [value]]]);

for (const [name, value, why] of [
  ['RestrictNamespaces', 'yes', 'forbids user namespaces'],
  ['RestrictNamespaces', 'user mnt pid ipc cgroup net', 'forbids user namespaces'],
  ['ProtectHostname', 'yes', 'ProtectHostname'],
  ['ProtectKernelTunables', 'yes', 'ProtectKernelTunables=no'],
  ['ProtectKernelLogs', 'yes', 'ProtectKernelLogs=no'],
] as const) {
  test(
    `in the unit with ${name}=${value}: nothing, which is told`,
    inTemporaryFolder(async (folder) => {
      const said = await whyNot(folder, await unitConfinement(without(name, value)));
      assert.match(said, why);
    }),
  );
}

for (const [call, why] of Object.entries(MISSING)) {
  test(
    `in the unit without the call ${call}: nothing, which is told`,
    inTemporaryFolder(async (folder) => {
      const lines = withScripts.get('SystemCallFilter') ?? [];
      const settings = new Map([...withScripts, ['SystemCallFilter', [...lines, `~${call}`]]]);
      assert.match(await whyNot(folder, await unitConfinement(settings)), why);
    }),
  );
}

rights.run();
