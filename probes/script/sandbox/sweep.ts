import { readdir, readFile } from 'node:fs/promises';
import { killed, lives } from './processes.ts';
import { MARK } from './start/programs.ts';

/**
 * Kills what is left of services that were killed: processes that have the mark of one which is gone. There should be
 * none, since a sandbox dies with the process that has started it; without a sandbox, some may stay.
 */
export const sweepProcesses = async (): Promise<void> => {
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const mark = new RegExp(`(?:^|\\0)${MARK}=(\\d+-\\d+)`).exec(environment)?.[1];
    if (mark !== undefined && !lives(mark)) killed(Number(name));
  }
};
