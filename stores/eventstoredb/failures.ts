import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  UnavailableError,
  UnknownError,
  type CommandError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { ServerUnresponsive } from '../responsiveness.ts';
import { StoreUnavailable } from '../event-store/port.ts';

/**
 * Returns whether an error has a gRPC status. The classes of the client's errors do not distinguish a missing right
 * from a wrong password, so the status is compared.
 */
const hasStatus = (error: unknown, code: status): boolean =>
  error instanceof Error && (error as Partial<CommandError>).code === code;

/** Returns whether the server denies the user the right to an operation. */
export const isDenied = (error: unknown): boolean => hasStatus(error, status.PERMISSION_DENIED);

/** Returns whether the server rejects the user name or the password. */
export const isUnauthenticated = (error: unknown): boolean => hasStatus(error, status.UNAUTHENTICATED);

/** Returns whether no leader of the cluster could be discovered. */
export const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover');

/** Returns a clause that says why EventStoreDB did not perform a call: `it refuses a right`. */
export const reasonOf = (error: unknown): string => {
  if (isDenied(error)) return 'it refuses a right';
  if (isUnauthenticated(error)) return 'it refuses the user or the password';
  if (isUndiscovered(error)) return 'no node of the cluster can be reached';
  if (error instanceof DeadlineExceededError) return 'it did not respond in time';
  if (error instanceof NotLeaderError) return 'the contacted node is not the leader of the cluster';
  if (error instanceof UnavailableError) return 'there is no connection to it';
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};

/** The server accepts calls but does not respond to them. The connection may have died without an error. */
export class NoResponse extends StoreUnavailable {
  constructor() {
    super('EventStoreDB is not available: it did not respond in time.');
    this.name = 'NoResponse';
  }
}

/** Returns whether a call failed without a response of the server. A refusal counts as a response. */
export const isWithoutResponse = (error: unknown): boolean =>
  error instanceof NoResponse ||
  error instanceof DeadlineExceededError ||
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof ServerUnresponsive ||
  isUndiscovered(error);

/** A read returned an event that Uptrail has not written. A retry can't succeed. */
export class UnreadableEvent extends Error {
  constructor(stream: string, why: string, options?: ErrorOptions) {
    super(`An event of the stream ${stream} can't be read: ${why}.`, options);
    this.name = 'UnreadableEvent';
  }
}

/** Returns a message that may be shown to users: it names no hosts or user names. */
export const messageOf = (error: unknown): string =>
  error instanceof StoreUnavailable ? error.message : `EventStoreDB is not available: ${reasonOf(error)}.`;

/** Returns whether the server refused a read because no event begins at its start position. */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof UnknownError && /ReadAllResult|InvalidPosition|invalid position/i.test(error.message);

/**
 * Waits for a promise for a limited time.
 *
 * @throws NoResponse the time ran out
 */
export const withTimeout = async <T>(milliseconds: number, promise: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NoResponse());
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
