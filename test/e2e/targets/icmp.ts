import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Target } from './target.ts';

const IN_OWN_NETWORK = 'UPTRAIL_TEST_NETWORK';

/** Whether this process may make network namespaces. */
const mayMakeNetworks = (): boolean => spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/**
 * Runs this very program again in a network namespace of its own, where that is allowed, and ends with it.
 *
 * @returns whether it runs in one now
 */
export const runInOwnNetwork = (): boolean => {
  if (process.env[IN_OWN_NETWORK] !== undefined) return true;
  if (!mayMakeNetworks()) return false;
  const { status } = spawnSync(
    'unshare',
    [
      '--net',
      'sh',
      '-c',
      'ip link set lo up && exec "$@"',
      'sh',
      process.execPath,
      ...process.execArgv,
      process.argv[1] ?? '',
    ],
    { stdio: 'inherit', env: { ...process.env, [IN_OWN_NETWORK]: '1' } },
  );
  process.exit(status ?? 1);
};

const NEAR = '10.213.0.1/30';
const FAR = '10.213.0.2';

/** A host at the other end of a link, which is cut. Only in a network namespace of its own. */
export const icmpTarget = async (): Promise<Target> => {
  const ip = (...words: string[]): void => {
    execFileSync('ip', words);
  };
  const host = spawn('unshare', ['--net', 'sh', '-c', 'echo && exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(host.stdout, 'data');
  const far = (...words: string[]): void => {
    execFileSync('nsenter', ['--net', '--target', String(host.pid), 'ip', ...words]);
  };
  ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(host.pid));
  ip('address', 'add', NEAR, 'dev', 'near');
  ip('link', 'set', 'near', 'up');
  far('address', 'add', `${FAR}/30`, 'dev', 'far');
  far('link', 'set', 'far', 'up');
  return {
    definition: {
      name: 'Link',
      type: 'icmp',
      host: FAR,
      parameters: { probe_count: 3, probe_interval: 0.1, probe_timeout: 0.5 },
    },
    broken: { status: 'down', sentence: new RegExp(FAR.replaceAll('.', '\\.')) },
    break: async () => {
      far('link', 'set', 'far', 'down');
    },
    mend: async () => {
      far('link', 'set', 'far', 'up');
    },
    close: async () => {
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
    },
  };
};
