import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';

/** The parts of a profile that make a filter. */
export interface Filtering {
  defaultAction: string;
  defaultErrnoRet: number;
  syscalls: readonly { names: readonly string[]; action: string; args?: readonly object[] }[];
}

export interface Compiled {
  /** as `bwrap --seccomp` reads it */
  filter: Buffer;
  /** calls that libseccomp does not know */
  unknown: string[];
}

/** Debian's Python, which has its `python3-seccomp`; another one that comes first in PATH has not. */
const PYTHON = '/usr/bin/python3';

const python = (parameters: readonly string[], input = '') => spawnSync(PYTHON, parameters, { input });

/** Whether libseccomp can be asked; where it can't, says so in a way that is seen and counted. */
export const hasLibseccomp = (): boolean => {
  if (python(['-c', 'import seccomp']).status === 0) return true;
  console.log('skipped: python3-seccomp is not installed');
  return false;
};

/** The architecture that this machine is, as libseccomp calls it. */
export const ARCHITECTURE = process.arch === 'arm64' ? 'SCMP_ARCH_AARCH64' : 'SCMP_ARCH_X86_64';

/** What a container engine makes of a profile: it calls libseccomp, too. */
export const compiled = (profile: Filtering, architecture = ARCHITECTURE): Compiled => {
  const script = fileURLToPath(new URL('compile.py', import.meta.url));
  const { status, stdout, stderr } = python([script, architecture], JSON.stringify(profile));
  assert.is(status, 0, stderr.toString());
  return { filter: stdout, unknown: stderr.toString().split('\n').filter(Boolean) };
};
