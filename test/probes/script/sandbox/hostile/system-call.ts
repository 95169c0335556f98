import type { Machine } from '../../../../../probes/script/sandbox/seccomp/system-calls.ts';

/** Encodes a 64-bit number in little-endian order. */
const word = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
};

/** Opcodes of `movabs` into rax (the number of the system call) and rdi, rsi, rdx, r10, r8, r9 (its arguments). */
const X64_REGISTERS = ['48b8', '48bf', '48be', '48ba', '49ba', '49b8', '49b9'];

const x64 = (values: readonly bigint[]): Buffer =>
  Buffer.concat([
    ...values.map((value, index) => Buffer.concat([Buffer.from(X64_REGISTERS[index] ?? '', 'hex'), word(value)])),
    // syscall; neg rax; mov rdi, rax; mov eax, 231 (exit_group); syscall
    Buffer.from('0f05' + '48f7d8' + '4889c7' + 'b8e7000000' + '0f05', 'hex'),
  ]);

/** Registers of a system call: x8 holds its number, and x0 to x5 its arguments. */
const ARM64_REGISTERS = [8, 0, 1, 2, 3, 4, 5];

const instruction = (code: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(code >>> 0);
  return bytes;
};

/** Returns the instructions that load a value: `movz`, then `movk` for each further 16 bits. */
const arm64Value = (register: number, value: bigint): Buffer =>
  Buffer.concat(
    [0, 1, 2, 3].map((part) => {
      const bits = Number((BigInt.asUintN(64, value) >> BigInt(16 * part)) & 0xffffn);
      return instruction((part === 0 ? 0xd2800000 : 0xf2800000) | (part << 21) | (bits << 5) | register);
    }),
  );

const arm64 = (values: readonly bigint[]): Buffer =>
  Buffer.concat([
    ...values.map((value, index) => arm64Value(ARM64_REGISTERS[index] ?? 0, value)),
    // svc 0; neg x0, x0; exit_group; svc 0
    ...[0xd4000001, 0xcb0003e0].map(instruction),
    arm64Value(8, 94n),
    instruction(0xd4000001),
  ]);

const BASE = 0x400000n;
const HEADERS = 64 + 56;

export const programOf = (machine: Machine, code: Buffer): Buffer => {
  const header = Buffer.alloc(HEADERS);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine === 'x64' ? 62 : 183, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BASE + BigInt(HEADERS), 24);
  header.writeBigUInt64LE(64n, 32);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  // The only segment of the program, which can be read and executed.
  header.writeUInt32LE(1, 64);
  header.writeUInt32LE(5, 68);
  header.writeBigUInt64LE(BASE, 80);
  header.writeBigUInt64LE(BASE, 88);
  header.writeBigUInt64LE(BigInt(HEADERS + code.length), 96);
  header.writeBigUInt64LE(BigInt(HEADERS + code.length), 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([header, code]);
};

/**
 * Returns a program that makes one system call, and exits with its error number or 0. It represents a script that
 * contains machine code.
 */
export const callingProgram = (machine: Machine, number: number, values: readonly bigint[] = []): Buffer =>
  programOf(machine, (machine === 'x64' ? x64 : arm64)([BigInt(number), ...values]));

/** Returns an x64 program that calls `getpid` (20) through the 32-bit entry of the kernel, `int 0x80`. */
export const oldDoor = (): Buffer =>
  programOf('x64', Buffer.from('b814000000' + 'cd80' + '31ff' + 'b8e7000000' + '0f05', 'hex'));

/** Returns a script that runs machine code and reports how the program ended. */
export const runningProgram = (bytes: Buffer): string => `
  const { writeFileSync, chmodSync } = require('node:fs');
  const { spawnSync } = require('node:child_process');
  writeFileSync('/tmp/call', Buffer.from('${bytes.toString('base64')}', 'base64'));
  chmodSync('/tmp/call', 0o755);
  const { status, signal, error } = spawnSync('/tmp/call');
  if (error) throw error;
  return { status, signal };`;
