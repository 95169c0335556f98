import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The programs that create sandboxes. */
export interface Programs {
  bwrap: string;
  setpriv: string;
  prlimit: string;
  /** whether this bubblewrap supports `--disable-userns` (0.8) */
  disablesUserNamespaces: boolean;
}

/** Folders in which the programs that create sandboxes are searched. */
export const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Environment variable by which processes of a sandbox are recognised after their service has died. */
export const MARK = 'UPTRAIL_SANDBOX';

const found = (program: string): string | null => {
  for (const folder of `${process.env['PATH'] ?? ''}${delimiter}${PATH}`.split(delimiter)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      if (folder !== '' && statSync(file).isFile()) return file;
    } catch {
      // Continues, because the next folder may contain the program.
    }
  }
  return null;
};

/** @returns the programs, or a sentence that says which program is missing */
export const programsHere = async (): Promise<Programs | string> => {
  const bwrap = found('bwrap');
  if (bwrap === null) return 'bubblewrap is not installed.';
  const setpriv = found('setpriv');
  if (setpriv === null) return 'setpriv (util-linux) is not installed.';
  const prlimit = found('prlimit');
  if (prlimit === null) return 'prlimit (util-linux) is not installed.';
  const { stdout } = await promisify(execFile)(bwrap, ['--help'], { timeout: 10_000 }).catch(() => ({ stdout: '' }));
  return { bwrap, setpriv, prlimit, disablesUserNamespaces: stdout.includes('--disable-userns') };
};
