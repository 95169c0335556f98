import { readdirSync, readFileSync } from 'node:fs';

const CLOSED_ON_EXEC = 0o2000000;

const staysOpen = (fd: string): boolean => {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    return false;
  }
};

/**
 * The rest of `stdio` for a child process that must not inherit further open files. Otherwise it would inherit what
 * this process was started with (sockets of systemd, files of a shell).
 *
 * @param from the first file descriptor that the child must not have
 */
export const withoutInheritedFiles = (from: number): 'ignore'[] => {
  const inherited = readdirSync('/proc/self/fdinfo').filter((fd) => Number(fd) >= from && staysOpen(fd));
  return Array.from({ length: Math.max(0, ...inherited.map((fd) => Number(fd) + 1 - from)) }, () => 'ignore');
};
