import { spawnSync } from 'node:child_process';

const INSIDE = 'UPTRAIL_TEST_NETWORK';

/** Returns whether this process has the permission and the tools to create network namespaces. */
const mayMakeNetworks = (): boolean => spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/**
 * Runs this program again in a new network namespace with a loopback interface, and exits with the status of that
 * process. If this process may not create namespaces, prints a line that is counted as a skipped test, and returns.
 *
 * @returns whether this process already runs in such a namespace
 */
export const runInOwnNetwork = (): boolean => {
  if (process.env[INSIDE] !== undefined) return true;
  if (!mayMakeNetworks()) {
    console.log('skipped: network namespaces are not allowed here');
    return false;
  }
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const words = [
    '--pdeathsig',
    'KILL',
    'unshare',
    '--net',
    'sh',
    '-c',
    'ip link set lo up && exec "$@"',
    'sh',
    ...again,
  ];
  const { status } = spawnSync('setpriv', words, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } });
  process.exit(status ?? 1);
};
