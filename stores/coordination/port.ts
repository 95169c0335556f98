import type { Entries } from './entries.ts';

export type { Entries, Entry, EntryKind, StoredEntry } from './entries.ts';
export { endAllAccess } from './entries.ts';

/** A lease with its holder. `token` grows with every holder (fencing token). */
export interface Lease {
  readonly name: string;
  readonly token: bigint;
  /** aborted when the lease is lost */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** The first request with an `Idempotency-Key`, and its response (docs/reference/requests.md#idempotency). */
export interface IdempotencyRecord {
  /** hash of API key and `Idempotency-Key` */
  id: string;
  /** hash of method, path and body */
  fingerprint: string;
  /** the response; null while the first request is in flight */
  answer: { status: number; headers: Record<string, string>; body: string } | null;
  /** milliseconds since 1970 */
  created_at: number;
}

/** The live generation of a projection version (docs/develop/projections.md#generations). */
export interface CatalogueEntry {
  /** name@version */
  projection: string;
  /** the generation that readers use; null before the first build has finished */
  live: number | null;
  /** highest generation number ever issued, so that none is reused */
  last: number;
}

/** An item of a reactor's list that failed (reactors/engine/). */
export interface FailedItem {
  /** id of the item on its list */
  id: string;
  /** position of the event that put the item into the state that was tried */
  position: number;
  /**
   * `retrying`: retried automatically; `given_up`: retried only when an operator requests it, or when the item changes
   */
  state: 'retrying' | 'given_up';
  /** number of attempts */
  tries: number;
  /** earliest time of the next attempt, milliseconds since 1970; 0: immediately */
  again: number;
  /** time of the last attempt; if the clock now shows less, it was set back, and the item is retried without waiting */
  tried: number;
  /** time of the first attempt */
  since: number;
  /** why it failed, a sentence */
  reason: string;
}

/** Failed items of a reactor, counted. */
export interface FailedItemCount {
  reactor: string;
  retrying: number;
  given_up: number;
  /** first attempt of the oldest item still being retried, milliseconds since 1970; null when there is none */
  retrying_since: number | null;
}

/**
 * Failed items of reactors, by reactor and item, so that they survive restarts and takeovers. Every write carries the
 * token of the writer's lease: an item that was written under a later lease stays unchanged.
 */
export interface FailedItems {
  /** Stores items, replacing earlier versions of them. They are durable when this resolves. */
  store(reactor: string, token: bigint, items: readonly FailedItem[]): Promise<void>;
  /** Removes items that succeeded or are no longer on the list. */
  remove(reactor: string, token: bigint, ids: readonly string[]): Promise<void>;
  /** At most `limit` items of a reactor, ordered by id, after the given one. */
  page(
    reactor: string,
    query: { after: string | null; limit: number; state?: FailedItem['state'] },
  ): Promise<FailedItem[]>;
  /** In no particular order; absent ones are left out. */
  find(reactor: string, ids: readonly string[]): Promise<FailedItem[]>;
  /** Counts per reactor, ordered by name, without reactors that have none. */
  counts(): Promise<FailedItemCount[]>;
  /**
   * Makes an item, or all items of a reactor, due now, with a fresh retry count.
   *
   * @returns how many items
   */
  retry(reactor: string, id: string | null): Promise<number>;
  /** Removes all items of a reactor. */
  clear(reactor: string): Promise<void>;
}

export interface Coordination {
  /** Failed items of reactors. */
  readonly failedItems: FailedItems;
  /** State with an expiry. */
  readonly entries: Entries;

  /** Waits until the lease is granted; rejects when the signal aborts. Embedded, it resolves immediately. */
  acquire(name: string, signal: AbortSignal): Promise<Lease>;

  /**
   * Creates a claim if there is no record, or only a claim without a response older than 30 s, or any record older than
   * 24 h.
   *
   * @returns null when the claim was created, otherwise the existing record
   */
  claim(id: string, fingerprint: string, now: number): Promise<IdempotencyRecord | null>;
  /** Stores the response of a claim. */
  storeResponse(id: string, answer: NonNullable<IdempotencyRecord['answer']>): Promise<void>;
  /** Withdraws a claim that has no response; a record with a response stays. */
  abandon(id: string): Promise<void>;
  /** Removes records older than 24 h. */
  expire(now: number): Promise<void>;

  /** All entries, by projection; cheap enough to call before every read. */
  catalogue(): Promise<CatalogueEntry[]>;
  /**
   * Issues the next generation number of a projection version to the process that builds it. `token` is that of the
   * lease it is built under. No number is issued twice, whatever the token.
   */
  nextGeneration(projection: string, token: bigint): Promise<number>;
  /**
   * Makes a generation live, in one update.
   *
   * @throws StaleLease a switch was already made under a later lease; nothing was changed
   */
  switchGeneration(projection: string, generation: number, token: bigint): Promise<void>;

  /** Small values by name, such as the position a reactor has handled; null when absent. */
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
  /**
   * Writes a value unless one exists; the first writer wins.
   *
   * @returns the value that is stored now
   */
  writeOnce(name: string, value: string): Promise<string>;
  /** The values whose names begin with a prefix, ordered by name. */
  readByPrefix(prefix: string): Promise<{ name: string; value: string }[]>;

  close(): Promise<void>;
}

/** Coordination of a single service, which knows that no other process is running. */
export interface EmbeddedCoordination extends Coordination {
  /** Withdraws every claim without a response: the processes that made them are dead. */
  abandonAll(): Promise<void>;
}

/** Another process holds the lease now; the caller must stop the work it does under its own. */
export class StaleLease extends Error {
  constructor(projection: string, token: bigint, newest: bigint) {
    super(`Lease ${token} of ${projection} is stale: ${newest} has switched since.`);
    this.name = 'StaleLease';
  }
}

/**
 * Name of the value that says, in a sentence, why reactors are halted until an operator resumes them; null or empty
 * while they run (docs/develop/projections.md#generations).
 */
export const REACTORS_HALTED = 'reactors-halted';

/** Name of the value with the progress of result retention (domain/retention.ts). */
export const RETENTION = 'retention';

/** Name of the value with the point up to which an operator has confirmed result retention. */
export const RETENTION_CONFIRMED = 'retention-confirmed';

/** Name of the value with the progress of forgetting the keys of client addresses (domain/retention.ts). */
export const CLIENT_RETENTION = 'client-retention';

/** Name of the value with the point up to which an operator has confirmed that forgetting. */
export const CLIENT_RETENTION_CONFIRMED = 'client-retention-confirmed';

/** Name of the value with the last known head of the log main (service/logs/log-heads.ts). */
export const LOG_HEAD = 'log-head';

/** Coordination data can't be read or written at the moment (disk full, connection lost). */
export class CoordinationUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CoordinationUnavailable';
  }
}
