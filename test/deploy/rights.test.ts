// Own process: this file restarts itself in a network namespace.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { argumentsOf } from '../../probes/icmp/fping.ts';
import { runInOwnNetwork } from '../own-network.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { services } from './compose.ts';
import { inProject, isInstalled, run, testWith } from './project.ts';

const rights = suite('the rights of the tools that checks use');

const installed = (await isInstalled('fping', '-v')) && (await isInstalled('nmap')) && (await isInstalled('setpriv'));
const test = testWith(rights, installed && runInOwnNetwork());

/**
 * Sets which groups may open ping sockets in the network of this test. In a new network namespace, the setting is `1
 * 0`, so no group may open them.
 */
const allowPingSockets = (groups: string): void => {
  writeFileSync('/proc/sys/net/ipv4/ping_group_range', groups);
};
rights.before.each(() => {
  allowPingSockets('1 0');
});

/** Returns a `setpriv` command whose program can get only these capabilities. */
const withOnly = (capabilities: readonly string[], ...more: string[]): string[] => [
  'setpriv',
  `--bounding-set=${['-all', ...capabilities.map((name) => `+${name}`)].join()}`,
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--no-new-privs',
  ...more,
  '--',
];
/** Options of `setpriv` that set the group of the image. The user remains the owner of the files of this test. */
const group = ['--regid=1000', '--clear-groups'];

/** Installs fping in a folder, with the options of the Dockerfile. @returns a PATH that begins with this folder */
const fpingOfImage = (folder: string): string => {
  const [, options = ''] = /install (-m \d+) \/usr\/bin\/fping/.exec(inProject('Dockerfile')) ?? [];
  const which = spawnSync('sh', ['-c', 'command -v fping']).stdout.toString().trim();
  assert.is(spawnSync('install', [...options.split(' '), which, join(folder, 'fping')]).status, 0);
  return `${folder}:${process.env['PATH'] ?? ''}`;
};

/** Runs `uptrail probe` by a command that starts programs with certain rights, such as `setpriv`. */
const uptrailProbe = ([program = '', ...words]: string[], path: string, ...requested: string[]) =>
  run(program, [...words, process.execPath, 'dist/cli/main.js', 'probe', ...requested], {
    environment: { PATH: path },
  });

const quick = ['--parameters', '{"probe_count": 2, "probe_interval": 0.01}'];

test(
  'the service `run` of compose.yaml can ping over ping sockets without any capability',
  inTemporaryFolder(async (folder) => {
    const { sysctls, cap_drop, cap_add } = services['run'] ?? {};
    assert.equal([cap_drop, cap_add], [['ALL'], undefined]);
    const path = fpingOfImage(folder);
    for (const host of ['127.0.0.1', '::1']) {
      allowPingSockets(sysctls?.['net.ipv4.ping_group_range'] ?? '');
      const { code, output } = await uptrailProbe(withOnly([], ...group), path, 'icmp', host, ...quick);
      assert.is(code, 0, output);
      allowPingSockets('1 0');
      const refused = await uptrailProbe(withOnly([], ...group), path, 'icmp', host, ...quick);
      assert.is(refused.code, 1);
      assert.match(refused.output, "Checks of type icmp can't be run here: fping may not send ICMP (");
      assert.match(refused.output, 'sysctl net.ipv4.ping_group_range="0 2147483647"');
    }
  }),
);

test('a probe reports fping with a file capability that cannot be granted, and names the remedy', async () => {
  const file = spawnSync('sh', ['-c', 'getcap "$(command -v fping)"']).stdout.toString();
  // On a file system without file capabilities, Debian installs fping setuid root instead.
  if (!file.includes('cap_net_raw')) return;
  allowPingSockets('0 2147483647');
  const { code, output } = await uptrailProbe(withOnly([]), process.env['PATH'] ?? '', 'icmp', '127.0.0.1', ...quick);
  assert.is(code, 1);
  assert.match(output, "Checks of type icmp can't be run here: fping can't be started (");
  assert.match(output, 'setcap -r');
});

const fping = ['fping', ...argumentsOf(4, { count: 1, interval: 1_000, timeout: 1_000 }, ['127.0.0.1'])];
const nmap = ['nmap', '--privileged', '-n', '-Pn', '-p', '1'];

/** Runs fping and nmap over raw sockets, by a command that starts programs with certain rights, such as `setpriv`. */
const allWork = async (...[program = '', ...words]: string[]): Promise<void> => {
  for (const command of [fping, [...nmap, '-sS', '127.0.0.1'], [...nmap, '-sU', '127.0.0.1']]) {
    const { code, output } = await run(program, [...words, ...command]);
    assert.is(code, 0, output);
  }
};

test('the service `run-privileged` of compose.yaml can use raw sockets as an unprivileged user', async () => {
  const { cap_add = [], entrypoint = [], user } = services['run-privileged'] ?? {};
  assert.is(user, '0:0');
  const outside = withOnly(cap_add.map((name) => name.toLowerCase()));
  const becomes = entrypoint.slice(0, entrypoint.indexOf('--') + 1);
  const { output } = await run(outside[0] ?? '', [
    ...outside.slice(1),
    ...becomes,
    'grep',
    '-E',
    'Uid|Gid|CapEff',
    '/proc/self/status',
  ]);
  assert.match(output, /^Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nCapEff:\t0*2000\n$/);
  await allWork(...outside, ...becomes);
});

test('the systemd unit can use raw sockets', async () => {
  const unit = inProject('deploy/systemd/uptrail.service');
  const capabilitiesIn = (setting: string): string[] =>
    (new RegExp(`^${setting}=(.*)$`, 'm').exec(unit)?.[1] ?? '')
      .split(' ')
      .map((name) => name.replace('CAP_', '').toLowerCase());
  assert.match(unit, /^NoNewPrivileges=yes$/m);
  assert.match(unit, /^RestrictAddressFamilies=.*\bAF_PACKET\b/m);
  // `setpriv`, which starts the tools, calls `capset`.
  assert.match(unit, /^SystemCallFilter=.*\bcapset\b/m);
  const given = capabilitiesIn('AmbientCapabilities').map((name) => `+${name}`);
  await allWork(
    'setpriv',
    '--reuid=1000',
    ...group,
    `--bounding-set=${['-all', ...capabilitiesIn('CapabilityBoundingSet').map((name) => `+${name}`)].join()}`,
    `--inh-caps=${given.join()}`,
    `--ambient-caps=${given.join()}`,
    '--no-new-privs',
    '--',
  );
});

rights.run();
