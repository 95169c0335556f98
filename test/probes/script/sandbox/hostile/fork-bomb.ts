import { thisMachine } from '../../../../../probes/script/sandbox/seccomp/filter.ts';
import { programOf } from './system-call.ts';

/** Returns a program that forks as fast as possible and never ends. Must be used only under effective limits. */
export const forkBomb = (): Buffer =>
  thisMachine() === 'arm64'
    ? // clone(SIGCHLD, 0, 0, 0, 0), again and again
      programOf(
        'arm64',
        words([0xd2800220, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800004, 0xd2801b88, 0xd4000001, 0x17fffff9]),
      )
    : // mov eax, 57 (fork); syscall; jmp to the beginning
      programOf('x64', Buffer.from('b839000000' + '0f05' + 'ebf7', 'hex'));

const words = (codes: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(codes.length * 4);
  codes.forEach((code, index) => {
    bytes.writeUInt32LE(code, index * 4);
  });
  return bytes;
};
