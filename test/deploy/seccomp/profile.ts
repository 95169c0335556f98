import { REFUSED } from '../../../probes/script/sandbox/seccomp/system-calls.ts';
import { needed, opened } from './calls.ts';

/** A condition on an argument of a call, as in libseccomp. */
interface Condition {
  index: number;
  op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ';
  /** the value, or the mask if the comparison has one */
  value: number;
  valueTwo?: number;
}

/** The action for some calls. */
export interface Rule {
  comment: string;
  names: readonly string[];
  action: 'SCMP_ACT_ALLOW';
  args?: readonly Condition[];
}

/** A profile as Docker reads it. */
export interface Profile {
  defaultAction: 'SCMP_ACT_ERRNO';
  defaultErrnoRet: number;
  archMap: readonly { architecture: string; subArchitectures: readonly string[] }[];
  syscalls: readonly Rule[];
}

/** "No such call": programs fall back, as on an older kernel. They would give up on `EPERM`. */
const ENOSYS = 38;

const CLONE_NEWTIME = 0x80;
/** From linux/socket.h. */
const FAMILIES = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16, AF_PACKET: 17 };
/** Linux, and the query for the present personality. */
const PERSONALITIES = [0, 0xffffffff];

const allow = (comment: string, names: readonly string[], args?: readonly Condition[]): Rule => ({
  comment,
  names,
  action: 'SCMP_ACT_ALLOW',
  ...(args && { args }),
});

const first = (value: number): Condition[] => [{ index: 0, op: 'SCMP_CMP_EQ', value }];

/**
 * The seccomp profile of the service that runs scripts: the calls of Node.js, its tools and a browser, and those with
 * which bubblewrap creates a sandbox. Apart from these, what a sandbox denies to scripts is denied here too. All other
 * calls fail as in a kernel without them, including `clone3`, whose flags no filter can inspect. 32-bit programs are
 * ended, since only the machine's own architecture is listed.
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

/** `deploy/seccomp-scripts.json`. */
export const seccompProfileText = (): string => `${JSON.stringify(seccompProfile(), null, 2)}\n`;
