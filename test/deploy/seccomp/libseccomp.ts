import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { PROJECT } from '../project.ts';

/** The parts of a seccomp profile from which libseccomp builds a filter. */
export interface Filtering {
  defaultAction: string;
  defaultErrnoRet: number;
  syscalls: readonly { names: readonly string[]; action: string; errnoRet?: number; args?: readonly object[] }[];
}

/** Debian's Python, for which `python3-seccomp` is installed. Another Python in PATH may lack it. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = 'test/deploy/seccomp/libseccomp.py';

/** Returns whether libseccomp is available. If not, prints a line that counts as a skip. */
export const hasLibseccomp = (): boolean => {
  if (spawnSync(PYTHON, ['-c', 'import seccomp']).status === 0) return true;
  console.log('skipped: python3-seccomp is not installed');
  return false;
};

/**
 * Compiles a profile with libseccomp, as a container engine does.
 *
 * @returns the system calls that libseccomp does not know
 */
export const unknownTo = (profile: Filtering, architecture: string): string[] => {
  const { status, stdout, stderr } = spawnSync(PYTHON, [SCRIPT, 'check', architecture], {
    input: JSON.stringify(profile),
    encoding: 'utf8',
    cwd: PROJECT,
  });
  assert.is(status, 0, stderr);
  return stdout.split('\n').filter(Boolean);
};

/**
 * Returns the beginning of a command that runs a program under a filter, in the folder of the project.
 *
 * @param file contains the profile
 */
export const filteredBy = (file: string): string[] => [PYTHON, SCRIPT, 'run', file];
