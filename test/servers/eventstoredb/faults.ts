import { setImmediate as turn } from 'node:timers/promises';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { realPause } from '../../waiting.ts';

/** Maximum delay of a call while `shuffles` is true, in milliseconds. */
const SHUFFLED = 5;

/** Number of scanned events of `$all` after which the scan yields to other calls. */
const TURN = 1_000;

/** The faults that a double simulates. */
export class Faults {
  #silent = false;
  /**
   * incremented when a silence begins or ends; a call gets no response if the number has changed since the call began
   */
  #era = 0;
  /** delay before each response, in milliseconds */
  delay = 0;
  /** whether calls get random delays, so that concurrent appends can swap places, as on a cluster of three nodes */
  shuffles = false;
  /** number of further appends that are stored and then lose their connection instead of getting a response */
  dropsAfterStoring = 0;
  /** address of the leader; if it is set, this node refuses calls as a follower */
  leader: { host: string; port: number } | null = null;
  /** number of received appends, whether or not they got a response */
  appends = 0;
  /** time for scanning a hundred events of `$all`, in milliseconds */
  scanDelay = 0;
  /** number of scanned events of `$all`, whether or not they match */
  scanned = 0;
  /** number of events sent to reads and subscriptions */
  sent = 0;
  /** number of opened catch-up subscriptions */
  opened = 0;

  /**
   * Begins a silence: connections stay open, but nothing is sent. Calls that are open now or are made during the
   * silence get no response even after it ends.
   */
  goSilent(): void {
    this.#silent = true;
    this.#era++;
  }

  endSilence(): void {
    this.#silent = false;
    this.#era++;
  }

  /**
   * To be called when a call arrives.
   *
   * @returns a function that returns whether the call may get a response now; to be called before each response
   */
  begin(): () => boolean {
    const era = this.#era;
    return () => !this.#silent && this.#era === era;
  }

  /**
   * To be called for each scanned event.
   *
   * @returns a promise after which the scan may continue, or null if it may continue immediately
   */
  scan(): Promise<void> | null {
    this.scanned++;
    if (this.scanDelay > 0 && this.scanned % 100 === 0) return realPause(this.scanDelay, 'a server that scans slowly');
    return this.scanned % TURN === 0 ? turn() : null;
  }

  async wait(): Promise<void> {
    const delay = this.delay + (this.shuffles ? Math.random() * SHUFFLED : 0);
    if (delay > 0) await realPause(delay, 'a server that responds slowly');
  }
}

/** Creates a gRPC error with EventStoreDB's trailers. */
export const failure = (code: status, details: string, trailers: Readonly<Record<string, string>>): ServiceError => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

export const notLeader = ({ host, port }: { host: string; port: number }): ServiceError =>
  failure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': port.toString(),
  });

export const streamDeleted = (stream: string): ServiceError =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongVersion = (stream: string, expected: bigint, actual: bigint): ServiceError =>
  failure(
    status.FAILED_PRECONDITION,
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expected.toString(),
      'actual-version': actual.toString(),
    },
  );

export const APPEND_LIMIT = 1_048_576;

export const appendTooLarge = (): ServiceError =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${APPEND_LIMIT} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': APPEND_LIMIT.toString(),
  });

export const groupAbsent = (stream: string, group: string): ServiceError =>
  failure(status.NOT_FOUND, `Subscription group ${group} on stream ${stream} does not exist.`, {
    exception: 'persistent-subscription-does-not-exist',
    'stream-name': stream,
    'group-name': group,
  });

/** Creates the error that a consumer receives when its group is deleted. */
export const groupDropped = (stream: string, group: string): ServiceError =>
  failure(status.CANCELLED, `Subscription group ${group} on stream ${stream} was dropped.`, {
    exception: 'persistent-subscription-dropped',
    'stream-name': stream,
    'group-name': group,
  });

export const groupExists = (stream: string, group: string): ServiceError =>
  failure(status.ALREADY_EXISTS, `Subscription group ${group} on stream ${stream} exists.`, {
    exception: 'persistent-subscription-exists',
    'stream-name': stream,
    'group-name': group,
  });
