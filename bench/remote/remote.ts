/**
 * Measures remote runners at the end of long links: the duration of a run on demand, the cost and lateness of ten
 * thousand checks on five runners, and the cost of an idle runner.
 */
import { spawnSync } from 'node:child_process';
import { compiled } from '../../test/project.ts';
import type { Row } from '../tools/table.ts';

const TOOLS = ['unshare', 'nsenter', 'ip', 'nginx', 'openssl', 'python3'] as const;

export const bench = async (): Promise<Row[]> => {
  const missing = TOOLS.find((tool) => spawnSync(tool, ['--version']).error !== undefined);
  const mayMakeNetworks = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  if (missing !== undefined || !mayMakeNetworks) {
    console.error(
      `skipped: ${missing === undefined ? 'network namespaces are not allowed here' : `${missing} is not installed`}`,
    );
    return [];
  }
  const words = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath];
  const { stdout, status } = spawnSync('unshare', [...words, compiled('bench/remote/inside.ts')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(`The measurement has ended with ${String(status)}.`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as Row[];
};
