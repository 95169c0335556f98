import {
  ALLOW,
  and,
  ARCHITECTURE,
  argument,
  assembled,
  give,
  ifAnyBit,
  ifEqual,
  ifGreater,
  KILL,
  load,
  NUMBER,
  REFUSE,
  UNKNOWN,
  unlessEqual,
  type Instruction,
} from './program.ts';
import { AUDIT_ARCH, CONDITIONAL_CALLS, LAST_KNOWN, numberOf, REFUSED, type Machine } from './system-calls.ts';

/** `CLONE_NEW…` of linux/sched.h: namespaces of cgroups, IPC, mounts, networks, processes, users, host names. */
const NAMESPACES = 0x02000000 | 0x08000000 | 0x00020000 | 0x40000000 | 0x20000000 | 0x10000000 | 0x04000000;
/** `CLONE_NEWTIME`, which does not fit into `clone`'s flags. */
const TIME_NAMESPACE = 0x00000080;

/**
 * `ioctl` requests that insert characters into the input of a terminal. A shell outside the sandbox would execute these
 * characters as commands.
 */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** The permitted arguments of `personality`: a query that changes nothing, and the default personality. */
const PERSONALITY_QUERY = 0xffffffff;
const PER_LINUX = 0;

const PR_SET_SECCOMP = 22;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
/** Node.js and browsers use this address family to list network interfaces. */
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const ANY_PROTOCOL = 0;
const TCP = 6;
const UDP = 17;
/** `SOCK_STREAM`, `SOCK_DGRAM` */
const STREAM = 1;
const DATAGRAM = 2;
/** Mask for the type of a socket without the flags `SOCK_NONBLOCK` and `SOCK_CLOEXEC`. */
const TYPE = 0xf;

const oneOf = (offset: number, accepted: readonly number[]): Instruction[] => [
  load(offset),
  ...accepted.flatMap((value) => ifEqual(value, [give(ALLOW)])),
  give(REFUSE),
];

/** Permits Unix sockets, TCP and UDP sockets, and netlink sockets for routing information. */
const judgeSocket = (): Instruction[] => [
  load(argument(0)),
  ...ifEqual(AF_UNIX, [give(ALLOW)]),
  ...ifEqual(AF_NETLINK, oneOf(argument(2), [NETLINK_ROUTE])),
  ...[AF_INET, AF_INET6].flatMap((family) =>
    ifEqual(family, [
      load(argument(1)),
      and(TYPE),
      ...[STREAM, DATAGRAM].flatMap((type) => ifEqual(type, oneOf(argument(2), [ANY_PROTOCOL, TCP, UDP]))),
      give(REFUSE),
    ]),
  ),
  give(REFUSE),
];

const without = (offset: number, bits: number): Instruction[] => [
  load(offset),
  ...ifAnyBit(bits, [give(REFUSE)]),
  give(ALLOW),
];

const judgements: Readonly<Record<keyof typeof CONDITIONAL_CALLS, () => Instruction[]>> = {
  // The flags of clone3 are in memory, which filters can't read, so clone3 always fails. Programs then use `clone`.
  clone3: () => [give(UNKNOWN)],
  clone: () => without(argument(0), NAMESPACES),
  unshare: () => without(argument(0), NAMESPACES | TIME_NAMESPACE),
  ioctl: () => [
    load(argument(1)),
    ...ifEqual(TIOCSTI, [give(REFUSE)]),
    ...ifEqual(TIOCLINUX, [give(REFUSE)]),
    give(ALLOW),
  ],
  // Memory files belong to no process and no file system, so the memory limit would not apply to them. Programs can use
  // /dev/shm instead.
  memfd_create: () => [give(UNKNOWN)],
  personality: () => oneOf(argument(0), [PERSONALITY_QUERY, PER_LINUX]),
  prctl: () => [load(argument(0)), ...ifEqual(PR_SET_SECCOMP, [give(REFUSE)]), give(ALLOW)],
  socket: judgeSocket,
  socketpair: () => oneOf(argument(0), [AF_UNIX]),
};

/** Returns the instructions of the filter. */
export const filterOf = (machine: Machine): Instruction[] => [
  load(ARCHITECTURE),
  // Kills 32-bit programs: their system calls have other numbers, so the rest of the filter would not apply to them.
  ...unlessEqual(AUDIT_ARCH[machine], [give(KILL)]),
  load(NUMBER),
  // Refuses calls that are newer than this filter, and calls of the x32 architecture, whose numbers have bit 30 set.
  ...ifGreater(LAST_KNOWN, [give(UNKNOWN)]),
  ...Object.entries(judgements).flatMap(([name, judge]) => {
    const number = numberOf(machine, CONDITIONAL_CALLS[name as keyof typeof CONDITIONAL_CALLS]);
    return number === null ? [] : ifEqual(number, judge());
  }),
  ...refusedNumbers(machine).flatMap((number) => ifEqual(number, [give(REFUSE)])),
  give(ALLOW),
];

const refusedNumbers = (machine: Machine): number[] =>
  Object.values(REFUSED).flatMap((numbers) => numberOf(machine, numbers) ?? []);

/**
 * Returns a filter for `bwrap --seccomp`. It refuses rarely used system calls by which a process could escape from the
 * sandbox.
 */
export const seccompFilter = (machine: Machine): Buffer => assembled(filterOf(machine));

/** Returns the architecture of this machine; null if the filter does not support it. */
export const thisMachine = (): Machine | null =>
  process.arch === 'x64' || process.arch === 'arm64' ? process.arch : null;
