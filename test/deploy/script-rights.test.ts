import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { services, type Service } from './compose.ts';
import { canConfine, runConfined, type Confinement } from './confined.ts';
import { containerConfinement } from './container-confinement.ts';
import { isInstalled, testWith } from './project.ts';
import { DROP_IN, settingsOf, UNIT, type Settings } from './systemd.ts';
import { unitConfinement } from './unit-confinement.ts';

const rights = suite('the rights that sandboxes of scripts need');
const confines = await canConfine();
const test = testWith(rights, confines);
const browserTest = testWith(rights, confines && (await isInstalled('chromium')));

/** Returns why no sandbox can be created under these restrictions; an empty string if one can. */
const whyNot = async (folder: string, confinement: Confinement): Promise<string> => {
  const { code, output } = await runConfined(folder, confinement, 'build/test/deploy/trial.js');
  assert.is(code, 0, output);
  return output.trim();
};

/** Returns the title of the page that a browser shows in a sandbox under these restrictions. */
const shown = async (folder: string, confinement: Confinement): Promise<string> =>
  (await runConfined(folder, confinement, 'build/test/deploy/trial-browser.js')).output.trim();

const privileged = services['run-privileged'] ?? {};
const withoutOption = (option: string): Service => ({
  ...privileged,
  security_opt: (privileged.security_opt ?? []).filter((other) => other !== option),
});

test(
  'the service `run-privileged` has all rights that sandboxes need',
  inTemporaryFolder(async (folder) => {
    assert.is(await whyNot(folder, containerConfinement(privileged)), '');
  }),
);

browserTest(
  'the service `run-privileged` can run a browser in a sandbox',
  inTemporaryFolder(async (folder) => {
    assert.is(await shown(folder, containerConfinement(privileged)), '42 pages');
  }),
);

test(
  'a container that covers parts of /proc cannot create sandboxes, and reports the reason',
  inTemporaryFolder(async (folder) => {
    const why = await whyNot(folder, containerConfinement(withoutOption('systempaths=unconfined')));
    assert.match(why, '/proc');
    assert.match(why, 'systempaths=unconfined');
  }),
);

/** The reported reason for each missing system call. */
const MISSING: Readonly<Record<string, string>> = {
  mount: 'forbids mounts',
  pivot_root: 'forbids mounts',
  sethostname: 'forbids to set the name of a sandbox',
  umount2: 'forbids mounts',
};

for (const [call, why] of Object.entries({ ...MISSING, unshare: 'forbids user namespaces' })) {
  test(
    `a container whose seccomp profile lacks ${call} cannot create sandboxes, and reports the reason`,
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
  'the systemd unit with its drop-in has all rights that sandboxes need',
  inTemporaryFolder(async (folder) => {
    assert.is(await whyNot(folder, await unitConfinement(withScripts)), '');
  }),
);

browserTest(
  'the systemd unit with its drop-in can run a browser in a sandbox',
  inTemporaryFolder(async (folder) => {
    assert.is(await shown(folder, await unitConfinement(withScripts)), '42 pages');
  }),
);

test(
  'the systemd unit without its drop-in cannot create sandboxes, and reports the reason',
  inTemporaryFolder(async (folder) => {
    assert.match(await whyNot(folder, await unitConfinement(settingsOf(UNIT))), 'forbids user namespaces');
  }),
);

/** Returns the settings of the unit and its drop-in, with one setting replaced. */
const without = (name: string, value: string): Settings => new Map([...withScripts, [name, [value]]]);

for (const [name, value, why] of [
  ['RestrictNamespaces', 'yes', 'forbids user namespaces'],
  ['RestrictNamespaces', 'user mnt pid ipc cgroup net', 'forbids user namespaces'],
  ['ProtectHostname', 'yes', 'ProtectHostname'],
  ['ProtectKernelTunables', 'yes', 'ProtectKernelTunables=no'],
  ['ProtectKernelLogs', 'yes', 'ProtectKernelLogs=no'],
] as const) {
  test(
    `the systemd unit with ${name}=${value} cannot create sandboxes, and reports the reason`,
    inTemporaryFolder(async (folder) => {
      const said = await whyNot(folder, await unitConfinement(without(name, value)));
      assert.match(said, why);
    }),
  );
}

for (const [call, why] of Object.entries(MISSING)) {
  test(
    `the systemd unit without the call ${call} cannot create sandboxes, and reports the reason`,
    inTemporaryFolder(async (folder) => {
      const lines = withScripts.get('SystemCallFilter') ?? [];
      const settings = new Map([...withScripts, ['SystemCallFilter', [...lines, `~${call}`]]]);
      assert.match(await whyNot(folder, await unitConfinement(settings)), why);
    }),
  );
}

rights.run();
