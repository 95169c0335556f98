import { readdir, readFile } from 'node:fs/promises';
import { killed, lives } from './processes.ts';
import { MARK } from './start/programs.ts';

/**
 * Kills what dead services have left: processes with the mark of a process that no longer exists. With a sandbox there
 * should be none, since it dies with the process that started it; without one, some may remain.
 */
export const killLeftovers = async (): Promise<void> => {
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const mark = new RegExp(`(?:^|\\0)${MARK}=(\\d+-\\d+)`).exec(environment)?.[1];
    if (mark !== undefined && !lives(mark)) killed(Number(name));
  }
};
