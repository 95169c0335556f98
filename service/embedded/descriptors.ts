import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Needed while the program starts, when Node.js reads many modules concurrently. Measured: 420 suffice, 400 do not. */
const FILES_TO_BEGIN = 512;
/**
 * Needed afterwards: the databases with SQLite's auxiliary files, in each thread that opens them, and the descriptors
 * of Node.js itself. Measured: 180 to 235.
 */
const FILES = 256;
/** Concurrent client connections that should be possible; each takes one descriptor. */
const CALLERS = 256;

/** Where Linux shows the limits of this process. */
const LIMITS = '/proc/self/limits';

/**
 * The limit of open files of this process; null if the system does not report it. Node.js has already raised its soft
 * limit.
 */
const limitOf = (file: string): number | null => {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(file, 'utf8')) ?? [];
    if (soft === undefined) return null;
    return soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return null;
  }
};

const ADVICE = 'Raise the limit (ulimit -n, LimitNOFILE= of systemd, ulimits of Docker)';

/**
 * The message for a command that failed in a process with too low a limit: when modules can't be opened, Node.js
 * reports other reasons, such as a missing package. null if the limit suffices.
 */
export const tooFewToBegin = (limits = LIMITS): string | null => {
  const limit = limitOf(limits);
  if (limit === null || limit >= FILES_TO_BEGIN) return null;
  return `This process may open only ${limit} files and connections, and needs ${FILES_TO_BEGIN} to start. ${ADVICE}.`;
};

/** The warning at the start of a process with too low a limit; null if the limit suffices. */
export const tooFewDescriptors = (
  { runnerConcurrency }: Pick<Config, 'runnerConcurrency'>,
  limits = LIMITS,
): string | null => {
  const limit = limitOf(limits);
  const needed = FILES + CALLERS + runnerConcurrency;
  if (limit === null || limit >= needed) return null;
  return (
    `This process may open only ${limit} files and connections, and may need ${needed}. ` +
    `${ADVICE}; otherwise requests and checks fail under load.`
  );
};

/**
 * How many client connections leave enough descriptors for files and checks; Infinity if the system reports no limit. A
 * process without free descriptors could neither store anything nor run checks.
 */
export const mostCallers = ({ runnerConcurrency }: Pick<Config, 'runnerConcurrency'>, limits = LIMITS): number => {
  const limit = limitOf(limits);
  return limit === null ? Infinity : Math.max(1, limit - FILES - runnerConcurrency);
};

/**
 * Divides the available descriptors among API clients, visitors of status pages and event streams. If there are too
 * few, API clients get half, or what the others do not need; streams get half of the rest, or what visitors do not
 * need.
 */
export const sharedConnections = (
  { maxConnections, maxVisitors, maxStreams }: Pick<Config, 'maxConnections' | 'maxVisitors' | 'maxStreams'>,
  most: number,
): { total: number; visitors: number; streams: number } => {
  const total = Math.min(maxConnections, Math.max(Math.ceil(most / 2), most - maxVisitors - maxStreams));
  const rest = Math.max(0, most - total);
  const streams = Math.min(maxStreams, Math.max(Math.floor(rest / 2), rest - maxVisitors));
  return { total, visitors: Math.min(maxVisitors, rest - streams), streams };
};
