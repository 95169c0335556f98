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
import { NotAnswering } from '../answering.ts';
import type { MongoDb } from './database.ts';

type Unavailable = new (message: string, options?: ErrorOptions) => Error;

/** Codes of the caller's faults: BadValue, FailedToParse, TypeMismatch, Overflow, BSONObjectTooLarge, field names. */
const FAULTS: ReadonlySet<unknown> = new Set([2, 9, 14, 15, 52, 56, 57, 10334, 17419, 17420]);
const DUPLICATE_KEY = 11000;

/** How a write is done that others build on. */
export const AWAITED = { awaited: true };

/**
 * Runs an adapter's operations on MongoDB: troubles of the server and of the connection become the
 * port's own error; the caller's faults pass through unchanged. Whether a failed write was done is
 * unknown. An `awaited` operation is not given up when the server falls silent (stores/answering.ts): a write that
 * others build on must be seen through, to know whether it was done.
 */
export const orUnavailable =
  ({ ready, answering, watch, explained }: Omit<MongoDb, 'db' | 'close'>, Unavailable: Unavailable) =>
  async <T>(action: () => Promise<T>, options?: { awaited: boolean }): Promise<T> => {
    try {
      const done = await answering.call(async () => {
        await ready();
        return action();
      }, options);
      watch.worked();
      return done;
    } catch (error) {
      if (!isTrouble(error)) throw error;
      const isLost = isUnanswered(error);
      const failure = new Unavailable(`MongoDB can't be used: ${reasonOf(error)}.`, {
        cause: isLost ? explained(error) : error,
      });
      if (isLost) watch.failed(failure);
      throw failure;
    }
  };

/** Why MongoDB did not do what it was asked, as half a sentence for everybody: it names no hosts. */
export const reasonOf = (error: Error): string => {
  if (error instanceof MongoNetworkTimeoutError) return 'it did not answer in time';
  if (error instanceof MongoServerSelectionError && isSomeServerKnown(error)) {
    return 'none of its servers takes writes at present';
  }
  if (error instanceof NotAnswering || !isUnanswered(error)) return error.message.replace(/\.$/, '');
  return 'there is no connection to it';
};

const isSomeServerKnown = ({ reason }: MongoServerSelectionError): boolean =>
  [...(reason?.servers.values() ?? [])].some(({ type }) => type !== 'Unknown');

/** Whether there is no connection, or a dead one; the driver lets some socket errors through. */
const isUnanswered = (error: Error): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof NotAnswering ||
  'syscall' in error;

const isTrouble = (error: unknown): error is Error => {
  if (!(error instanceof MongoError)) return error instanceof Error && isUnanswered(error);
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError || FAULTS.has(error.code));
};

/** Whether a write failed because a document with that id exists. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The outcome of the writes of a bulk, in no particular order. */
export interface BulkOutcome {
  /** indexes of those whose document existed already (E11000) */
  duplicates: number[];
}

/** Runs an unordered bulk, in which a document that exists already is no failure. */
export const toleratingDuplicates = async (bulk: () => Promise<unknown>): Promise<BulkOutcome> => {
  try {
    await bulk();
    return { duplicates: [] };
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    // The documents may be written and still be lost again.
    if (error.result.getWriteConcernError()) throw error;
    return { duplicates: failed.map(({ index }) => index) };
  }
};

/** Writes again while somebody else creates the same document at the same time. */
export const whileDuplicate = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempts = 0; ; attempts++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || attempts === 10) throw error;
    }
  }
};
