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

/** Codes of what is a fault of the caller: BadValue, FailedToParse, TypeMismatch, Overflow, BSONObjectTooLarge, field names. */
const FAULTS: ReadonlySet<unknown> = new Set([2, 9, 14, 15, 52, 56, 57, 10334, 17419, 17420]);
const DUPLICATE_KEY = 11000;

/** How a write is done on which others build. */
export const AWAITED = { awaited: true };

/**
 * How an adapter does something with MongoDB: troubles of the server and of the connection become the
 * error that the port has for them; faults of the caller stay what they are. Whether a write that failed
 * was done is unknown. What is `awaited` is not given up when the server falls silent (stores/answering.ts): of a write on
 * which others build it must be seen whether it was done.
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

/** Whether there is no connection, or none over which anything comes; the driver lets some errors of sockets through. */
const isUnanswered = (error: Error): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof NotAnswering ||
  'syscall' in error;

const isTrouble = (error: unknown): error is Error => {
  if (!(error instanceof MongoError)) return error instanceof Error && isUnanswered(error);
  return !(error instanceof MongoInvalidArgumentError || error instanceof MongoParseError || FAULTS.has(error.code));
};

/** Whether a write failed because there is a document with that id. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** What became of the writes of a bulk, in no particular order. */
export interface BulkOutcome {
  /** indexes of those whose document was there already (E11000) */
  duplicates: number[];
}

/** Does an unordered bulk, in which a document that is there already is no failure. */
export const toleratingDuplicates = async (bulk: () => Promise<unknown>): Promise<BulkOutcome> => {
  try {
    await bulk();
    return { duplicates: [] };
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.length === 0 || failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    // The documents may be written and yet be lost again.
    if (error.result.getWriteConcernError()) throw error;
    return { duplicates: failed.map(({ index }) => index) };
  }
};

/** Writes again while somebody else makes the same document at the same time. */
export const whileDuplicate = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempts = 0; ; attempts++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || attempts === 10) throw error;
    }
  }
};
