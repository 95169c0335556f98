import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/**
 * Number of descriptors that the program needs while it starts, when Node.js reads many modules concurrently. Measured:
 * 420 are enough, 400 are not.
 */
const FILES_TO_BEGIN = 512;
/**
 * Number of descriptors that the program needs after the start: for the databases and the auxiliary files of SQLite, in
 * each thread that opens the databases, and for Node.js itself. Measured: 180 to 235.
 */
const FILES = 256;
/** Number of concurrent client connections that should be possible. Each needs one descriptor. */
const CALLERS = 256;

/** File in which Linux shows the limits of this process. */
const LIMITS = '/proc/self/limits';

/**
 * Returns the maximum number of open files of this process; null if the system does not report it. Node.js has already
 * raised the soft limit to the hard limit.
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
 * Returns a message if the limit is too low for a start; null if the limit is high enough. The message is necessary
 * because Node.js reports a wrong reason, such as a missing package, if modules can't be opened.
 */
export const tooFewToBegin = (limits = LIMITS): string | null => {
  const limit = limitOf(limits);
  if (limit === null || limit >= FILES_TO_BEGIN) return null;
  return `This process may open only ${limit} files and connections, and needs ${FILES_TO_BEGIN} to start. ${ADVICE}.`;
};

/** Returns the warning for a process whose limit is too low for its configuration; null if the limit is high enough. */
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
 * Returns the maximum number of client connections that leaves enough descriptors for files and checks; Infinity if the
 * system reports no limit. A process without free descriptors could neither store anything nor run checks.
 */
export const mostCallers = ({ runnerConcurrency }: Pick<Config, 'runnerConcurrency'>, limits = LIMITS): number => {
  const limit = limitOf(limits);
  return limit === null ? Infinity : Math.max(1, limit - FILES - runnerConcurrency);
};

/**
 * Divides the available descriptors among API clients, visitors of status pages and event streams. If there are too few
 * descriptors, API clients get at least half of them, plus those that the other two groups do not use. Of the remaining
 * descriptors, event streams get at least half, plus those that visitors do not use.
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
