import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** While the program begins: Node.js reads many modules at once. Measured: 420 suffice, 400 do not. */
const FILES_TO_BEGIN = 512;
/**
 * Afterwards: the databases with SQLite's files beside them, in each thread that opens them, and what Node.js itself
 * needs. Measured: 180 to 235.
 */
const FILES = 256;
/** Simultaneous connections of callers that should be possible; each takes one descriptor. */
const CALLERS = 256;

/** Where Linux shows the limits of this process. */
const LIMITS = '/proc/self/limits';

/** How many files this process may open; null where the system does not say. Node.js has raised its soft limit itself. */
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
 * What to say when a command failed in a process that may open fewer files than the program needs: when modules can't
 * be opened, Node.js gives other reasons, such as a missing package. null where it may open enough.
 */
export const tooFewToBegin = (limits = LIMITS): string | null => {
  const limit = limitOf(limits);
  if (limit === null || limit >= FILES_TO_BEGIN) return null;
  return `This process may open ${limit} files and connections, and needs ${FILES_TO_BEGIN} to begin. ${ADVICE}.`;
};

/**
 * What to say at the start of a process that may open fewer files than it needs; null where it may open enough.
 */
export const tooFewDescriptors = (
  { runnerConcurrency }: Pick<Config, 'runnerConcurrency'>,
  limits = LIMITS,
): string | null => {
  const limit = limitOf(limits);
  const needed = FILES + CALLERS + runnerConcurrency;
  if (limit === null || limit >= needed) return null;
  return (
    `This process may open ${limit} files and connections, and may need ${needed}. ` +
    `${ADVICE}, or requests and checks fail when they are many.`
  );
};

/**
 * How many connections of callers leave enough descriptors for files and checks; Infinity where the system does not
 * say. A process without descriptors could neither store anything nor run checks.
 */
export const mostCallers = ({ runnerConcurrency }: Pick<Config, 'runnerConcurrency'>, limits = LIMITS): number => {
  const limit = limitOf(limits);
  return limit === null ? Infinity : Math.max(1, limit - FILES - runnerConcurrency);
};

/**
 * Divides the connections for which there are descriptors among callers, visitors of status pages and streams of events.
 * Where there are too few, callers get half, or what the others do not need; streams get half of the rest, or what
 * visitors do not need.
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
