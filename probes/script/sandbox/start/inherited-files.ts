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
 * Returns the final elements of `stdio` for a child process that must not inherit open files. Without these elements,
 * the child would inherit the files with which this process was started (sockets of systemd, files of a shell).
 *
 * @param from the first file descriptor that the child must not inherit
 */
export const withoutInheritedFiles = (from: number): 'ignore'[] => {
  const inherited = readdirSync('/proc/self/fdinfo').filter((fd) => Number(fd) >= from && staysOpen(fd));
  return Array.from({ length: Math.max(0, ...inherited.map((fd) => Number(fd) + 1 - from)) }, () => 'ignore');
};
