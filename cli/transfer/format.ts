import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { OperatorError } from '../../service/operator-error.ts';

/**
 * An exported log is a text file of JSON lines. It contains a head, one line for each event in the format of `uptrail
 * replay`, and an end with the number of events and the SHA-256 of all preceding bytes. A file without an end comes
 * from an interrupted export.
 */
export const FORMAT = 1;

export type LogName = 'main' | 'results';

/** The first line of the file. */
export interface ExportHead {
  uptrail: 'log';
  format: number;
  log: LogName;
  /** id of this log */
  log_id: string;
  /** id of the log `main` of the same service */
  service: string;
}

/** The last line of the file. */
export interface ExportEnd {
  events: number;
  /** SHA-256 of all preceding bytes, hexadecimal */
  sha256: string;
}

/** An event in an exported file. */
export interface ExportedEvent extends NewEvent {
  stream: string;
  revision: bigint;
}

export const headLine = (head: ExportHead): string => JSON.stringify(head);
export const endLine = ({ events, sha256 }: ExportEnd): string => JSON.stringify({ end: { events, sha256 } });

/** Returns the error for a file that cannot be used. @param sentence what is wrong with the file, and what to do */
export const unusableFile = (file: string, sentence: string): OperatorError => new OperatorError(`${file} ${sentence}`);

/**
 * Parses the first line of a file.
 *
 * @throws OperatorError the line is not the head of an export that this release can read
 */
export const readHead = (file: string, line: Buffer | undefined): ExportHead => {
  const head = line && parsed(line);
  if (head?.['uptrail'] !== 'log' || typeof head['format'] !== 'number') {
    throw unusableFile(file, 'is not an exported log of Uptrail.');
  }
  if (head['format'] > FORMAT) throw unusableFile(file, 'was written by a newer release. Import it with that release.');
  return head as unknown as ExportHead;
};

/** Parses the last line of a file. Returns null for any other line. */
export const readEnd = (line: Buffer): ExportEnd | null => {
  if (!line.subarray(0, END.length).equals(END)) return null;
  return (parsed(line)?.['end'] as ExportEnd | undefined) ?? null;
};

const END = Buffer.from('{"end":');

/**
 * Returns the log position that the line of an event contains. A position can exceed the range of a number.
 *
 * @returns null for any other line
 */
export const positionOf = (line: Buffer): bigint | null => {
  const digits = /^\{"position":(\d+),/.exec(line.toString('latin1', 0, 40))?.[1];
  return digits === undefined ? null : BigInt(digits);
};

/** Parses the line of an event. @returns null for any other line */
export const readEvent = (line: Buffer): ExportedEvent | null => {
  const event = parsed(line);
  if (!event) return null;
  const { stream, revision, id, type, data, metadata } = event;
  if (typeof stream !== 'string' || typeof id !== 'string' || typeof type !== 'string') return null;
  if (!Number.isSafeInteger(revision) || !isObject(data) || !isObject(metadata)) return null;
  return { ...(event as unknown as RecordedEvent), revision: BigInt(revision as number) };
};

const parsed = (line: Buffer): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line.toString());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
