import { spawnSync } from 'node:child_process';

/** This variable is set in the process inside the network namespace. */
const INSIDE = 'UPTRAIL_TEST_NAMESPACE';

/**
 * Restarts the current file in a network namespace that has only loopback, unless the process already runs in one.
 *
 * @returns `inside` if the process runs in the namespace; `outside` if the restarted process has ended (its exit code
 * is then the exit code of this process); or the reason why no namespace could be created
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
