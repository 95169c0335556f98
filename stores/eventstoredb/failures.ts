import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  UnavailableError,
  UnknownError,
  type CommandError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { NotAnswering } from '../answering.ts';
import { StoreUnavailable } from '../event-store/port.ts';

/** The client has one error for a missing right and for a wrong password; the status tells them apart. */
const hasStatus = (error: unknown, code: status): boolean =>
  error instanceof Error && (error as Partial<CommandError>).code === code;

/** Whether the server does not permit the user to do something. */
export const isDenied = (error: unknown): boolean => hasStatus(error, status.PERMISSION_DENIED);

/** Whether the server does not know the user. */
export const isUnauthenticated = (error: unknown): boolean => hasStatus(error, status.UNAUTHENTICATED);

/** Whether none of several nodes named their leader. */
export const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover');

/** Why EventStoreDB did not do what it was asked, as half a sentence. */
export const reasonOf = (error: unknown): string => {
  if (isDenied(error)) return 'it refuses a right';
  if (isUnauthenticated(error)) return 'it refuses the user or the password';
  if (isUndiscovered(error)) return 'no node of the cluster can be reached';
  if (error instanceof DeadlineExceededError) return 'it did not answer in time';
  if (error instanceof NotLeaderError) return 'the node that was asked is not the leader of the cluster';
  if (error instanceof UnavailableError) return 'there is no connection to it';
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};

/** The server accepts calls and does not answer them; the connection may be dead without a sign. */
export class Silence extends StoreUnavailable {
  constructor() {
    super('EventStoreDB is not available: it did not answer in time.');
    this.name = 'Silence';
  }
}

/** Whether a call failed without an answer of the server; a refusal is an answer. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Silence ||
  error instanceof DeadlineExceededError ||
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof NotAnswering ||
  isUndiscovered(error);

/** An event that was read but can't be one of ours; reading it again does not help. */
export class UnreadableEvent extends Error {
  constructor(stream: string, why: string, options?: ErrorOptions) {
    super(`An event of the stream ${stream} can't be read: ${why}.`, options);
    this.name = 'UnreadableEvent';
  }
}

/** A sentence for everybody: it names no hosts or users. */
export const messageOf = (error: unknown): string =>
  error instanceof StoreUnavailable ? error.message : `EventStoreDB is not available: ${reasonOf(error)}.`;

/**
 * Whether a read failed because no event is at the position where it was to begin: the server then reads in the
 * middle of a record.
 */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof UnknownError && /ReadAllResult|InvalidPosition|invalid position/i.test(error.message);

/**
 * Waits for a promise for a limited time.
 *
 * @throws Silence the time ran out
 */
export const within = async <T>(milliseconds: number, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Silence());
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

const LONGEST_PAUSE = 2_000;

/** Milliseconds to wait before the next try, growing, with jitter. */
export const pauseAfter = (failures: number, shortest = 100): number =>
  Math.min(shortest * 2 ** Math.min(failures, 20), LONGEST_PAUSE) * (0.5 + Math.random());
