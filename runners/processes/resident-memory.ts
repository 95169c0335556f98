import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the resident memory of a process in bytes. Returns null if it is unknown, for example because the process has
 * ended.
 */
export const residentMemory = async (pid: number): Promise<number | null> => {
  try {
    const kibibytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1]
        : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', pid.toString()])).stdout.trim();
    return kibibytes === undefined || kibibytes === '' ? null : Number(kibibytes) * 1_024;
  } catch {
    return null;
  }
};
