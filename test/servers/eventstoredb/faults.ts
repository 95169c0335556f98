import { setImmediate as turn } from 'node:timers/promises';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { realPause } from '../../waiting.ts';

/** How far calls that change places are apart at most, milliseconds. */
const SHUFFLED = 5;

/** How many events of `$all` are looked at before other calls get their turn. */
const TURN = 1_000;

/** What a double is told to do wrong. */
export class Faults {
  #silent = false;
  /** raised when a silence begins: calls from before it are never answered */
  #era = 0;
  /** milliseconds before each answer */
  delay = 0;
  /** whether calls under way at once change places, as they do where three nodes have to agree */
  shuffles = false;
  /** how many appends to come are stored and then lose their connection instead of an answer */
  dropsAfterStoring = 0;
  /** where the leader is, when this one refuses as a follower */
  leader: { host: string; port: number } | null = null;
  /** how many appends came in, answered or not */
  appends = 0;
  /** milliseconds that a look at a hundred events of `$all` takes */
  looking = 0;
  /** how many events of `$all` were looked at, wanted or not */
  looked = 0;
  /** how many events reads and subscriptions were sent */
  sent = 0;
  /** how many catch-up subscriptions were opened */
  opened = 0;

  /**
   * From now on nothing is answered and nothing delivered, while connections stay open; what was open or
   * asked meanwhile stays without an answer even when the silence ends.
   */
  goSilent(): void {
    this.#silent = true;
    this.#era++;
  }

  speak(): void {
    this.#silent = false;
    this.#era++;
  }

  /** To be called when a call comes in: whether it may be answered, asked again before each answer. */
  begin(): () => boolean {
    const era = this.#era;
    return () => !this.#silent && this.#era === era;
  }

  /** To be called for each event that is looked at; null: the next one can be looked at at once. */
  look(): Promise<void> | null {
    this.looked++;
    if (this.looking > 0 && this.looked % 100 === 0) return realPause(this.looking, 'a server that is slow to look');
    return this.looked % TURN === 0 ? turn() : null;
  }

  async wait(): Promise<void> {
    const delay = this.delay + (this.shuffles ? Math.random() * SHUFFLED : 0);
    if (delay > 0) await realPause(delay, 'a server that is slow to answer');
  }
}

/** A gRPC error with EventStoreDB's trailers. */
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
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected.toString()}, Actual version: ${actual.toString()}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expected.toString(),
      'actual-version': actual.toString(),
    },
  );

export const APPEND_LIMIT = 1_048_576;

export const appendTooLarge = (): ServiceError =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${APPEND_LIMIT.toString()} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': APPEND_LIMIT.toString(),
  });

export const groupAbsent = (stream: string, group: string): ServiceError =>
  failure(status.NOT_FOUND, `Subscription group ${group} on stream ${stream} does not exist.`, {
    exception: 'persistent-subscription-does-not-exist',
    'stream-name': stream,
    'group-name': group,
  });

/** What a consumer hears when its group is deleted. */
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
