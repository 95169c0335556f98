import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { ServerUnresponsive } from '../responsiveness.ts';
import type { MongoDb } from './database.ts';

type Unavailable = new (message: string, options?: ErrorOptions) => Error;

/** Codes of the caller's faults: BadValue, FailedToParse, TypeMismatch, Overflow, BSONObjectTooLarge, field names. */
const FAULTS: ReadonlySet<unknown> = new Set([2, 9, 14, 15, 52, 56, 57, 10334, 17419, 17420]);
const DUPLICATE_KEY = 11000;

/** Options for a write that later steps depend on. */
export const AWAITED = { awaited: true };

/**
 * Runs an adapter's operations on MongoDB. Failures of the server and of the connection become the port's own error;
 * the caller's faults pass through unchanged. The outcome of a failed write is unknown. An `awaited` operation keeps
 * waiting while the server is unresponsive (stores/responsiveness.ts), for writes whose outcome must be known before the
 * next step.
 */
export const orUnavailable =
  ({ ready, responsiveness, watch, withExplanation }: Omit<MongoDb, 'db' | 'close'>, Unavailable: Unavailable) =>
  async <T>(action: () => Promise<T>, options?: { awaited: boolean }): Promise<T> => {
    try {
      const done = await responsiveness.call(async () => {
        await ready();
        return action();
      }, options);
      watch.responded();
      return done;
    } catch (error) {
      if (!isTrouble(error)) throw error;
      const isLost = isWithoutResponse(error);
      const failure = new Unavailable(`MongoDB can't be used: ${reasonOf(error)}.`, {
        cause: isLost ? withExplanation(error) : error,
      });
      if (isLost) watch.failed(failure);
      throw failure;
    }
  };

/** Why MongoDB did not perform a call, as a clause that names no hosts, so that anyone may see it. */
export const reasonOf = (error: Error): string => {
  if (error instanceof MongoNetworkTimeoutError) return 'it did not respond in time';
  if (error instanceof MongoServerSelectionError && isSomeServerKnown(error)) {
    return 'none of its servers accepts writes at present';
  }
  if (error instanceof ServerUnresponsive || !isWithoutResponse(error)) return error.message.replace(/\.$/, '');
  return 'there is no connection to it';
};

const isSomeServerKnown = ({ reason }: MongoServerSelectionError): boolean =>
  [...(reason?.servers.values() ?? [])].some(({ type }) => type !== 'Unknown');

/** Whether there is no connection, or a dead one; the driver passes some socket errors through. */
const isWithoutResponse = (error: Error): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof ServerUnresponsive ||
  'syscall' in error;

const isTrouble = (error: unknown): error is Error => {
  if (!(error instanceof MongoError)) return error instanceof Error && isWithoutResponse(error);
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError || FAULTS.has(error.code));
};

/** Whether a write failed because a document with that id exists. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The outcome of a bulk of writes. */
export interface BulkOutcome {
  /** indexes of the writes whose document existed already (E11000) */
  duplicates: number[];
}

/** Runs an unordered bulk in which an existing document is no failure. */
export const ignoreDuplicates = async (bulk: () => Promise<unknown>): Promise<BulkOutcome> => {
  try {
    await bulk();
    return { duplicates: [] };
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    // The documents may be written, but can still be lost.
    if (error.result.getWriteConcernError()) throw error;
    return { duplicates: failed.map(({ index }) => index) };
  }
};

/** Repeats a write while another process creates the same document concurrently. */
export const retryOnDuplicate = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempts = 0; ; attempts++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || attempts === 10) throw error;
    }
  }
};
