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

/** Compares the gRPC status, since the client has one error for a missing right and for a wrong password. */
const hasStatus = (error: unknown, code: status): boolean =>
  error instanceof Error && (error as Partial<CommandError>).code === code;

/** Whether the server denies the user the operation. */
export const isDenied = (error: unknown): boolean => hasStatus(error, status.PERMISSION_DENIED);

/** Whether the server rejects the user or the password. */
export const isUnauthenticated = (error: unknown): boolean => hasStatus(error, status.UNAUTHENTICATED);

/** Whether no node of a cluster named the leader. */
export const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover');

/** Why EventStoreDB did not perform a call, as a clause. */
export const reasonOf = (error: unknown): string => {
  if (isDenied(error)) return 'it refuses a right';
  if (isUnauthenticated(error)) return 'it refuses the user or the password';
  if (isUndiscovered(error)) return 'no node of the cluster can be reached';
  if (error instanceof DeadlineExceededError) return 'it did not respond in time';
  if (error instanceof NotLeaderError) return 'the contacted node is not the leader of the cluster';
  if (error instanceof UnavailableError) return 'there is no connection to it';
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};

/** The server accepts calls but does not respond to them; the connection may have died silently. */
export class NoResponse extends StoreUnavailable {
  constructor() {
    super('EventStoreDB is not available: it did not respond in time.');
    this.name = 'NoResponse';
  }
}

/** Whether a call failed without a response of the server; a refusal is a response. */
export const isWithoutResponse = (error: unknown): boolean =>
  error instanceof NoResponse ||
  error instanceof DeadlineExceededError ||
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof ServerUnresponsive ||
  isUndiscovered(error);

/** An event that was read but can't be one of ours; reading it again does not help. */
export class UnreadableEvent extends Error {
  constructor(stream: string, why: string, options?: ErrorOptions) {
    super(`An event of the stream ${stream} can't be read: ${why}.`, options);
    this.name = 'UnreadableEvent';
  }
}

/** The public message: it names no hosts or users. */
export const messageOf = (error: unknown): string =>
  error instanceof StoreUnavailable ? error.message : `EventStoreDB is not available: ${reasonOf(error)}.`;

/** Whether a read failed because no event is at its start position: the server then reads in the middle of a record. */
export const isMisplaced = (error: unknown): boolean =>
  error instanceof UnknownError && /ReadAllResult|InvalidPosition|invalid position/i.test(error.message);

/**
 * Waits for a promise for a limited time.
 *
 * @throws Silence the time ran out
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
