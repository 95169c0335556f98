import { REFUSED } from '../../../probes/script/sandbox/seccomp/system-calls.ts';
import { needed, opened } from './calls.ts';

/** A condition on an argument of a system call, in libseccomp's terms. */
interface Condition {
  index: number;
  op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ';
  /** the compared value; for a masked comparison, the mask */
  value: number;
  valueTwo?: number;
}

/** The action for a group of system calls. */
export interface Rule {
  comment: string;
  names: readonly string[];
  action: 'SCMP_ACT_ALLOW';
  args?: readonly Condition[];
}

/** A profile in Docker's format. */
export interface Profile {
  defaultAction: 'SCMP_ACT_ERRNO';
  defaultErrnoRet: number;
  archMap: readonly { architecture: string; subArchitectures: readonly string[] }[];
  syscalls: readonly Rule[];
}

/** `ENOSYS` makes programs fall back as on an older kernel, whereas `EPERM` would make them fail. */
const ENOSYS = 38;

const CLONE_NEWTIME = 0x80;
/** Address families of linux/socket.h. */
const FAMILIES = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16, AF_PACKET: 17 };
/** The allowed arguments of `personality`: the Linux personality, and the query of the current one. */
const PERSONALITIES = [0, 0xffffffff];

const allow = (comment: string, names: readonly string[], args?: readonly Condition[]): Rule => ({
  comment,
  names,
  action: 'SCMP_ACT_ALLOW',
  ...(args && { args }),
});

const first = (value: number): Condition[] => [{ index: 0, op: 'SCMP_CMP_EQ', value }];

/**
 * Returns the seccomp profile of the service that runs scripts. It allows the system calls of Node.js, its tools and a
 * browser, and those with which bubblewrap creates a sandbox. It denies all other calls that a sandbox denies to
 * scripts. A denied call fails as in a kernel that does not have the call. `clone3` is always denied, because no filter
 * can inspect its flags. 32-bit programs are killed, because the profile lists only the machine's own architecture.
 */
export const seccompProfile = (): Profile => ({
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: ENOSYS,
  archMap: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'].map((architecture) => ({ architecture, subArchitectures: [] })),
  syscalls: [
    ...needed.map(({ purpose, names }) =>
      allow(
        purpose,
        names.filter((name) => !(name in REFUSED)),
      ),
    ),
    ...PERSONALITIES.map((value) => allow('Only the personality of Linux.', ['personality'], first(value))),
    ...Object.entries(FAMILIES).map(([name, value]) => allow(`Sockets: ${name}.`, ['socket'], first(value))),
    allow('Pairs of sockets: AF_UNIX.', ['socketpair'], first(FAMILIES.AF_UNIX)),
    allow(
      'A sandbox has its own namespaces of all kinds except time.',
      ['unshare'],
      [{ index: 0, op: 'SCMP_CMP_MASKED_EQ', value: CLONE_NEWTIME, valueTwo: 0 }],
    ),
    ...opened.map(({ purpose, names }) => allow(purpose, names)),
  ],
});

/** Returns the content of `deploy/seccomp-scripts.json`. */
export const seccompProfileText = (): string => `${JSON.stringify(seccompProfile(), null, 2)}\n`;
