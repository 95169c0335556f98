import * as assert from 'uvu/assert';
import { thisMachine } from '../../../../../probes/script/sandbox/seccomp/filter.ts';
import { CONDITIONAL_CALLS, numberOf, REFUSED } from '../../../../../probes/script/sandbox/seccomp/system-calls.ts';
import { returned, run, sandboxesOf, suiteOfSandboxes } from '../open-sandboxes.ts';
import { callingProgram, oldDoor, runningProgram } from './system-call.ts';

const suited = await suiteOfSandboxes('a script in a sandbox');
const { tests, test: calls } = suited;
const sandboxes = await sandboxesOf(suited, { kinds: { multistep: { warm: 1, most: 2 } } });
const machine = thisMachine() ?? 'x64';

const EPERM = 1;
const ENOSYS = 38;
const NEWUSER = 0x10000000n;
const NEWNS = 0x00020000n;
const SIGCHLD = 17n;

const errorOf = async (number: number, values: readonly bigint[] = []): Promise<unknown> => {
  const value = returned(await run(sandboxes, runningProgram(callingProgram(machine, number, values))));
  return (value as { status: number }).status;
};

calls('a script can run machine code, and only the kernel can refuse the system calls of this code', async () => {
  const getpid = machine === 'x64' ? 39 : 172;
  // The exit code of the program is the negated result of the system call, modulo 256. Process ids in the sandbox are
  // small, so the exit code is large, such as 253 for the process id 3.
  assert.ok(Number(await errorOf(getpid)) > 200);
});

calls('the kernel does not let scripts use unusual system calls', async () => {
  const programs = Object.entries(REFUSED).flatMap(([name, numbers]) => {
    const number = numberOf(machine, numbers);
    return number === null ? [] : [[name, callingProgram(machine, number).toString('base64')]];
  });
  const answer = await run(
    sandboxes,
    `const { writeFileSync } = require('node:fs');
     const { spawnSync } = require('node:child_process');
     return ${JSON.stringify(programs)}.map(([name, bytes]) => {
       writeFileSync('/tmp/' + name, Buffer.from(bytes, 'base64'), { mode: 0o755 });
       return [name, spawnSync('/tmp/' + name).status];
     });`,
  );
  assert.equal(answer, { type: 'returned', value: programs.map(([name]) => [name, EPERM]) });
});

calls('the kernel does not let scripts create user namespaces, in which they would be root', async () => {
  const unshare = numberOf(machine, CONDITIONAL_CALLS.unshare) ?? 0;
  const clone = numberOf(machine, CONDITIONAL_CALLS.clone) ?? 0;
  assert.is(await errorOf(unshare, [NEWUSER]), EPERM);
  assert.is(await errorOf(unshare, [NEWUSER | NEWNS]), EPERM);
  assert.is(await errorOf(clone, [NEWUSER | SIGCHLD, 0n, 0n, 0n, 0n]), EPERM);
  assert.is(await errorOf(numberOf(machine, CONDITIONAL_CALLS.clone3) ?? 0), ENOSYS);
});

calls('the kernel does not let scripts inject characters into a terminal', async () => {
  const ioctl = numberOf(machine, CONDITIONAL_CALLS.ioctl) ?? 0;
  for (const request of [0x5412n, 0x541cn, 0x5412n | (1n << 32n)])
    assert.is(await errorOf(ioctl, [0n, request, 0n]), EPERM);
});

calls('the kernel lets scripts create local sockets and internet sockets, but no other sockets', async () => {
  const socket = numberOf(machine, CONDITIONAL_CALLS.socket) ?? 0;
  const AF = { unix: 1n, inet: 2n, netlink: 16n, packet: 17n, alg: 38n, vsock: 40n, xdp: 44n };
  const [stream, raw] = [1n, 3n];
  for (const family of [AF.packet, AF.alg, AF.vsock, AF.xdp, 29n, 31n])
    assert.is(await errorOf(socket, [family, raw, 0n]), EPERM);
  assert.is(await errorOf(socket, [AF.inet, raw, 1n]), EPERM);
  const netfilter = 12n;
  assert.is(await errorOf(socket, [AF.netlink, raw, netfilter]), EPERM);
  const mptcp = 262n;
  assert.is(await errorOf(socket, [AF.inet, stream, mptcp]), EPERM);
});

calls('the kernel does not let scripts turn off the random layout of their memory (ADDR_NO_RANDOMIZE)', async () => {
  const personality = numberOf(machine, CONDITIONAL_CALLS.personality) ?? 0;
  assert.is(await errorOf(personality, [0x0040000n]), EPERM);
  assert.is(await errorOf(personality, [0xffffffffn]), 0);
});

calls('the kernel refuses system calls that are newer than the system call filter of scripts', async () => {
  assert.is(await errorOf(457), ENOSYS);
  assert.is(await errorOf(10_000), ENOSYS);
});

if (machine === 'x64') {
  calls('the kernel refuses system calls of scripts with x32 numbers', async () => {
    assert.is(await errorOf(0x40000000 + 39), ENOSYS);
  });

  calls('the kernel does not let scripts use the entry for 32-bit system calls', async () => {
    const answer = await run(sandboxes, runningProgram(oldDoor()));
    const { signal } = (answer?.type === 'returned' ? answer.value : {}) as { signal?: string };
    // SIGSEGV means that this kernel has no 32-bit entry.
    assert.ok(signal === 'SIGSYS' || signal === 'SIGSEGV', JSON.stringify(answer));
  });
}

tests.run();
