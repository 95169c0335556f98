import { printable } from './output.ts';
import type { Writable } from 'node:stream';
import type { stdSerializers } from 'pino';
import { destination as fileDestination, pino, type DestinationStream, type Logger } from 'pino';

/** The log of the process. */
export interface ProcessLog {
  logger: Logger;
  /** Writes what is still in memory; for the moment before the process ends. */
  flush: () => void;
}

/**
 * A log on stderr: JSON lines for programs, or short lines where a person watches.
 */
export const openProcessLog = (level: string): ProcessLog => {
  if (process.stderr.isTTY) {
    return { logger: pino({ level }, linesFor(process.stderr)), flush: () => undefined };
  }
  const destination = fileDestination({ dest: 2, sync: false });
  // The reader of the log may go away; the service goes on.
  destination.on('error', () => undefined);
  return {
    logger: pino({ level }, destination),
    flush: () => {
      try {
        destination.flushSync();
      } catch {
        // There is nobody left to tell.
      }
    },
  };
};

/** `15:04:05 warn  message  field=value`, for people; text from elsewhere can't control their terminal. */
export const linesFor = (stream: Pick<Writable, 'write'>): DestinationStream => ({
  write: (json) => {
    stream.write(`${lineOf(JSON.parse(json) as Line)}\n`);
  },
});

interface Line {
  level: number;
  time: number;
  msg?: string;
  err?: ReturnType<typeof stdSerializers.err>;
  [field: string]: unknown;
}

const BY_PROCESS = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'err']);

const lineOf = (line: Line): string => {
  const { level, time, msg = '', err } = line;
  const fields = Object.entries(line)
    .filter(([name, value]) => !BY_PROCESS.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`);
  const label = pino.levels.labels[level] ?? level.toString();
  const clock = new Date(time).toISOString().slice(11, 19);
  const stack = err ? [err.stack.split('\n').map(printable).join('\n')] : [];
  return [clock, label.padEnd(5), printable(msg), ...fields, ...stack].join(' ');
};
