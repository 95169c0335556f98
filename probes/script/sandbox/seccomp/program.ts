/** An instruction of classic BPF: `struct sock_filter` of linux/filter.h. */
export interface Instruction {
  code: number;
  /** number of instructions to skip if the comparison is true */
  yes: number;
  /** number of instructions to skip if the comparison is false */
  no: number;
  operand: number;
}

const LOAD_WORD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. Both supported architectures are little-endian. */
export const NUMBER = 0;
export const ARCHITECTURE = 4;
/** Returns the offset of the lower half of an argument, which contains the whole argument if it is an `int`. */
export const argument = (index: number): number => 16 + 8 * index;

export const ALLOW = 0x7fff0000;
export const KILL = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
/** The call fails with EPERM: it is not permitted. */
export const REFUSE = ERRNO | EPERM;
/** The call fails with ENOSYS: it is not implemented. Programs then use another call, as on older kernels. */
export const UNKNOWN = ERRNO | ENOSYS;

const instruction = (code: number, operand: number, yes = 0, no = 0): Instruction => ({ code, yes, no, operand });

export const load = (offset: number): Instruction => instruction(LOAD_WORD, offset);
export const and = (mask: number): Instruction => instruction(AND, mask);
export const give = (verdict: number): Instruction => instruction(RETURN, verdict);

/** Maximum jump distance, in instructions. */
const MOST = 255;

const conditional =
  (code: number) =>
  (operand: number, then: readonly Instruction[]): Instruction[] => {
    if (then.length > MOST) throw new RangeError('A jump can not be that far.');
    return [instruction(code, operand, 0, then.length), ...then];
  };

/** Executes `then` if the loaded value equals the operand. */
export const ifEqual = conditional(IF_EQUAL);
/** Executes `then` if the loaded value is greater than the operand. */
export const ifGreater = conditional(IF_GREATER);
/** Executes `then` if the loaded value has any bit of the operand. */
export const ifAnyBit = conditional(IF_ANY_BIT);

/** Executes `then` if the loaded value differs from the operand. */
export const unlessEqual = (operand: number, then: readonly Instruction[]): Instruction[] => [
  instruction(IF_EQUAL, operand, then.length, 0),
  ...then,
];

/** Encodes a program for the kernel and `bwrap --seccomp`. */
export const assembled = (program: readonly Instruction[]): Buffer => {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, yes, no, operand }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  });
  return bytes;
};
