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
 * The end of `stdio` for a child process that is to have no more open files than those before it. What this process was
 * itself started with (sockets of systemd, whatever a shell had open) would otherwise be open there too.
 *
 * @param from the first file descriptor that the child is not meant to have
 */
export const nothingElse = (from: number): 'ignore'[] => {
  const inherited = readdirSync('/proc/self/fdinfo').filter((fd) => Number(fd) >= from && staysOpen(fd));
  return Array.from({ length: Math.max(0, ...inherited.map((fd) => Number(fd) + 1 - from)) }, () => 'ignore');
};
