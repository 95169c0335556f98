import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filterOf, seccompFilter } from '../../../../../probes/script/sandbox/seccomp/filter.ts';
import { ALLOW, KILL, REFUSE, UNKNOWN } from '../../../../../probes/script/sandbox/seccomp/program.ts';
import {
  AUDIT_ARCH,
  CONDITIONAL_CALLS,
  numberOf,
  REFUSED,
  type Machine,
} from '../../../../../probes/script/sandbox/seccomp/system-calls.ts';

const filter = suite('the system call filter');

/** Interprets the filter as the kernel would, for one system call. */
const verdict = (
  machine: Machine,
  call: number,
  values: readonly number[] = [],
  architecture = AUDIT_ARCH[machine],
): number => {
  const program = seccompFilter(machine);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  values.forEach((value, index) => {
    data.writeUInt32LE(value >>> 0, 16 + index * 8);
    // The filter must not depend on the upper half of a value, which the kernel ignores.
    data.writeUInt32LE(0xdeadbeef, 20 + index * 8);
  });
  let loaded = 0;
  for (let at = 0; ; at += 8) {
    const [code, yes, no, operand] = [
      program.readUInt16LE(at),
      program.readUInt8(at + 2),
      program.readUInt8(at + 3),
      program.readUInt32LE(at + 4),
    ];
    const jump = (holds: boolean): void => {
      at += 8 * (holds ? yes : no);
    };
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x54) loaded = (loaded & operand) >>> 0;
    else if (code === 0x15) jump(loaded === operand);
    else if (code === 0x25) jump(loaded > operand);
    else if (code === 0x45) jump((loaded & operand) !== 0);
    else if (code === 0x06) return operand;
    else throw new Error(`no such instruction: ${code}`);
  }
};

/** The numbers of ordinary system calls: read, write, mmap, exit, futex, execve, epoll_ctl, kill. */
const USUAL: Readonly<Record<Machine, readonly number[]>> = {
  x64: [0, 1, 9, 60, 202, 59, 233, 62],
  arm64: [63, 64, 222, 93, 98, 221, 21, 129],
};

for (const machine of ['x64', 'arm64'] as const) {
  const judged = (name: keyof typeof CONDITIONAL_CALLS, values: readonly number[]): number =>
    verdict(machine, numberOf(machine, CONDITIONAL_CALLS[name]) ?? -1, values);

  filter(`the system call filter allows ordinary system calls, on ${machine}`, () => {
    for (const call of USUAL[machine]) assert.is(verdict(machine, call), ALLOW);
  });

  filter(`the system call filter refuses each rarely used system call, on ${machine}`, () => {
    for (const [name, numbers] of Object.entries(REFUSED)) {
      const call = numberOf(machine, numbers);
      if (call !== null) assert.is(verdict(machine, call), REFUSE, name);
    }
  });

  filter(`the system call filter kills a program that uses the numbers of another architecture, on ${machine}`, () => {
    const others = [0x40000003, 0xc0000028 >>> 0, AUDIT_ARCH[machine === 'x64' ? 'arm64' : 'x64'], 0];
    for (const other of others) assert.is(verdict(machine, USUAL[machine][0] ?? 0, [], other), KILL);
  });

  filter(`the system call filter reports newer system calls and those of x32 as unknown, on ${machine}`, () => {
    for (const call of [457, 1_000, 0x40000000, 0x40000001, 0xffffffff]) assert.is(verdict(machine, call), UNKNOWN);
    assert.is(judged('clone3', []), UNKNOWN);
    assert.is(judged('memfd_create', []), UNKNOWN);
  });

  filter(`the system call filter allows new threads and processes, but no namespaces, on ${machine}`, () => {
    const THREAD = 0x003d0f00;
    const SIGCHLD = 17;
    assert.is(judged('clone', [THREAD]), ALLOW);
    assert.is(judged('clone', [SIGCHLD]), ALLOW);
    assert.is(judged('unshare', [0x400]), ALLOW);
    for (const bit of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      assert.is(judged('clone', [bit | SIGCHLD]), REFUSE);
      assert.is(judged('unshare', [bit]), REFUSE);
    }
    assert.is(judged('unshare', [0x80]), REFUSE);
  });

  filter(`the system call filter allows local, TCP and UDP sockets, but no others, on ${machine}`, () => {
    const CLOEXEC = 0x80000;
    for (const values of [
      [1, 1, 0],
      [1, 5 | CLOEXEC, 0],
      [2, 1 | CLOEXEC, 0],
      [2, 2, 17],
      [10, 1, 6],
      [16, 3, 0],
    ])
      assert.is(judged('socket', values), ALLOW, values.join());
    for (const values of [
      [0, 1, 0],
      [2, 3, 1],
      [2, 2, 1],
      [2, 1, 132],
      [10, 3, 58],
      [16, 3, 12],
      [17, 3, 0],
      [38, 5, 0],
      [40, 1, 0],
    ])
      assert.is(judged('socket', values), REFUSE, values.join());
    assert.is(judged('socketpair', [1, 1, 0]), ALLOW);
    assert.is(judged('socketpair', [30, 1, 0]), REFUSE);
  });

  filter(
    `the system call filter checks the arguments of system calls that are harmful only with some arguments, on ${machine}`,
    () => {
      const FIONREAD = 0x541b;
      assert.is(judged('ioctl', [0, FIONREAD]), ALLOW);
      for (const request of [0x5412, 0x541c]) assert.is(judged('ioctl', [0, request]), REFUSE);
      for (const requested of [0, 0xffffffff]) assert.is(judged('personality', [requested]), ALLOW);
      assert.is(judged('personality', [0x0040000]), REFUSE);
      assert.is(judged('prctl', [15]), ALLOW);
      assert.is(judged('prctl', [22, 2]), REFUSE);
    },
  );

  filter(`the system call filter is shorter than the kernel’s limit, on ${machine}`, () => {
    assert.ok(filterOf(machine).length <= 4_096);
  });
}

/** Kernel headers with the system call numbers of each architecture, if they are installed. */
const HEADERS: Readonly<Record<Machine, string>> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
};

for (const [machine, file] of Object.entries(HEADERS) as [Machine, string][])
  // The headers of the other architecture are rarely installed, so they are optional.
  if (existsSync(file))
    filter(`the system call filter uses the numbers of the kernel headers, for ${machine}`, () => {
      const defined = new Map(
        [...readFileSync(file, 'latin1').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(
          ([, name = '', number]) => [name, Number(number)] as const,
        ),
      );
      assert.ok(defined.size > 200);
      for (const [name, numbers] of Object.entries({ ...REFUSED, ...CONDITIONAL_CALLS })) {
        const number = numberOf(machine, numbers);
        const header = defined.get(name);
        // Headers of an older kernel lack newer system calls.
        if (header !== undefined) assert.is(number, header, name);
      }
    });

filter.run();
