import { spawnSync } from 'node:child_process';

const INSIDE = 'UPTRAIL_TEST_NETWORK';

/** Whether this process may create network namespaces, and has the tools for it. */
const mayMakeNetworks = (): boolean => spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/**
 * Runs this program again in a network namespace of its own, with a loopback, and ends with it. If that is not allowed,
 * it prints a line that is counted as a skip, and continues.
 *
 * @returns whether it runs in a namespace now
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
