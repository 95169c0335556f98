import { readdir, readFile } from 'node:fs/promises';
import { killed, lives } from './processes.ts';
import { MARK } from './start/programs.ts';

/**
 * Kills processes that remain after their service has ended. Such a process has an environment variable {@link MARK}
 * that names a process that no longer exists. Scripts without a sandbox may leave processes. Sandboxes leave none,
 * because they die with the process that started them.
 */
export const killLeftovers = async (): Promise<void> => {
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const mark = new RegExp(`(?:^|\\0)${MARK}=(\\d+-\\d+)`).exec(environment)?.[1];
    if (mark !== undefined && !lives(mark)) killed(Number(name));
  }
};
