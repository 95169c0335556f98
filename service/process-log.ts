import { printable } from './output.ts';
import type { Writable } from 'node:stream';
import type { stdSerializers } from 'pino';
import { destination as fileDestination, pino, type DestinationStream, type Logger } from 'pino';

/** The log of the process. */
export interface ProcessLog {
  logger: Logger;
  /** Writes the buffered lines. Must be called before the process ends. */
  flush: () => void;
}

/** Opens a log on stderr. Writes short lines to a terminal, and otherwise JSON lines for programs. */
export const openProcessLog = (level: string): ProcessLog => {
  if (process.stderr.isTTY) {
    return { logger: pino({ level }, terminalLines(process.stderr)), flush: () => undefined };
  }
  const destination = fileDestination({ dest: 2, sync: false });
  // If the reader of the log closes the stream, the service continues.
  destination.on('error', () => undefined);
  const lines = bufferLines(destination);
  const flush = (): void => {
    try {
      lines.flush();
      destination.flushSync();
    } catch {
      // This error can't be reported anywhere.
    }
  };
  process.once('exit', flush);
  return { logger: pino({ level }, lines), flush };
};

/** If this many characters are buffered, they are written without a further delay. */
const ENOUGH = 16_384;
/**
 * Maximum time that a line is buffered, in milliseconds. One write per line would be a large share of the cost of a
 * request.
 */
const GATHERED_MS = 10;
/** Matches lines of the levels trace, debug and info. Warnings and errors are written immediately. */
const MAY_WAIT = /^\{"level":[123]0,/;

/** Buffers lines that are logged in quick succession, and writes them together. The order of the lines is preserved. */
export const bufferLines = (destination: DestinationStream): DestinationStream & { flush: () => void } => {
  let text = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (text === '') return;
    destination.write(text);
    text = '';
  };
  return {
    write: (line) => {
      text += line;
      if (text.length >= ENOUGH || !MAY_WAIT.test(line)) flush();
      else timer ??= setTimeout(flush, GATHERED_MS).unref();
    },
    flush,
  };
};

/** Formats JSON lines for a terminal: `15:04:05 warn  message  field=value`. External text is escaped. */
export const terminalLines = (stream: Pick<Writable, 'write'>): DestinationStream => ({
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
