import { spawnSync } from 'node:child_process';

/** Set in the process that runs in a network of its own. */
const INSIDE = 'UPTRAIL_TEST_NAMESPACE';

/**
 * Whether this process is in a network of its own, in which there is nothing but loopback. If it is not, the same
 * file is run again in one, and this process only ends as that did.
 *
 * @returns `inside`: go on; `outside`: all is done; otherwise why there can be no such network
 */
export const enterNamespace = (): 'inside' | 'outside' | { because: string } => {
  if (process.env[INSIDE] !== undefined) return 'inside';
  if (spawnSync('unshare', ['--net', '--', 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    return { because: 'no network namespace can be made here (unshare --net)' };
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync(
    'unshare',
    ['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...again],
    {
      stdio: 'inherit',
      env: { ...process.env, [INSIDE]: 'yes' },
    },
  );
  process.exitCode = status ?? 1;
  return 'outside';
};
