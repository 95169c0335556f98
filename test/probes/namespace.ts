import { spawnSync } from 'node:child_process';

/** Set in the process inside the network namespace. */
const INSIDE = 'UPTRAIL_TEST_NAMESPACE';

/**
 * Whether this process is in a network namespace with only loopback. If it is not, runs the same file again in one, and
 * ends with its exit code.
 *
 * @returns `inside`: continue; `outside`: the run is complete; otherwise why there can be no namespace
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
