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

/**
 * Codes of errors that the caller causes: BadValue, FailedToParse, TypeMismatch, Overflow, BSONObjectTooLarge, and
 * invalid field names.
 */
const FAULTS: ReadonlySet<unknown> = new Set([2, 9, 14, 15, 52, 56, 57, 10334, 17419, 17420]);
const DUPLICATE_KEY = 11000;

/** Options for a write whose outcome must be known before the next step. */
export const AWAITED = { awaited: true };

/**
 * Creates a function that runs an adapter's operations on MongoDB. It converts failures of the server and of the
 * connection to the error class of the port, and throws errors that the caller causes unchanged. The outcome of a
 * failed write is unknown. An `awaited` operation keeps waiting while the server is unresponsive
 * (stores/responsiveness.ts). Use it for writes whose outcome must be known before the next step.
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

/**
 * Returns a clause that says why MongoDB did not perform a call: `it did not respond in time`. It names no hosts, so it
 * may be shown to users.
 */
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

/**
 * Returns whether a call failed because the connection is missing or dead. The driver does not convert all socket
 * errors, so unconverted socket errors are tested too.
 */
const isWithoutResponse = (error: Error): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof ServerUnresponsive ||
  'syscall' in error;

const isTrouble = (error: unknown): error is Error => {
  if (!(error instanceof MongoError)) return error instanceof Error && isWithoutResponse(error);
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError || FAULTS.has(error.code));
};

/** Returns whether a write failed because a document with the same id exists. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The outcome of a bulk write. */
export interface BulkOutcome {
  /** indexes of the writes whose document existed already (E11000) */
  duplicates: number[];
}

/** Runs an unordered bulk write. A document that already exists (E11000) does not count as a failure. */
export const ignoreDuplicates = async (bulk: () => Promise<unknown>): Promise<BulkOutcome> => {
  try {
    await bulk();
    return { duplicates: [] };
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    // Without confirmation by a majority, the documents may be written, but can still be lost.
    if (error.result.getWriteConcernError()) throw error;
    return { duplicates: failed.map(({ index }) => index) };
  }
};

/** Runs a write. Repeats it if another process creates the same document concurrently. */
export const retryOnDuplicate = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempts = 0; ; attempts++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || attempts === 10) throw error;
    }
  }
};
