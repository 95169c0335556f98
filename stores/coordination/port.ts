import type { Entries } from './entries.ts';

export type { Entries, Entry, EntryKind, StoredEntry } from './entries.ts';
export { endAllAccess } from './entries.ts';

/** A lease that the caller holds. Each holder gets a higher `token` than the previous one (fencing token). */
export interface Lease {
  readonly name: string;
  readonly token: bigint;
  /** aborted when the lease is lost */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * A record of the first request with an `Idempotency-Key`, and its response (docs/reference/requests.md#idempotency).
 */
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
  /** name and version of the projection: `incidents@1` */
  projection: string;
  /** the generation that readers use; null before the first build has finished */
  live: number | null;
  /** highest generation number ever issued; no number is reused */
  last: number;
}

/** A failed item of a reactor's list (reactors/engine/). */
export interface FailedItem {
  /** id of the item on its list */
  id: string;
  /** position of the newest event that changed the item before the attempt */
  position: number;
  /**
   * `retrying`: the item is retried automatically; `given_up`: the item is retried only after an operator has requested
   * a retry, or after the item has changed
   */
  state: 'retrying' | 'given_up';
  /** number of attempts */
  tries: number;
  /** earliest time of the next attempt, milliseconds since 1970; 0: immediately */
  again: number;
  /**
   * time of the last attempt, milliseconds since 1970. If the clock now shows an earlier time, it was set back, and the
   * item is retried immediately.
   */
  tried: number;
  /** time of the first attempt, milliseconds since 1970 */
  since: number;
  /** a sentence that says why the item failed */
  reason: string;
}

/** The number of failed items of a reactor. */
export interface FailedItemCount {
  reactor: string;
  retrying: number;
  given_up: number;
  /**
   * time of the earliest first attempt among the items being retried, milliseconds since 1970; null if there are none
   */
  retrying_since: number | null;
}

/**
 * Stores the failed items of reactors, so that they survive restarts and takeovers. Every write carries the token of
 * the writer's lease. A write under an earlier lease does not change an item that was written under a later one.
 */
export interface FailedItems {
  /** Stores items, replacing earlier versions of them. They are durable when the promise resolves. */
  store(reactor: string, token: bigint, items: readonly FailedItem[]): Promise<void>;
  /** Removes items that succeeded or are no longer on the list. */
  remove(reactor: string, token: bigint, ids: readonly string[]): Promise<void>;
  /** Returns at most `limit` items of a reactor, ordered by id, beginning after the id `after`. */
  page(
    reactor: string,
    query: { after: string | null; limit: number; state?: FailedItem['state'] },
  ): Promise<FailedItem[]>;
  /** Returns the items with these ids, in no particular order. Ids without an item are left out. */
  find(reactor: string, ids: readonly string[]): Promise<FailedItem[]>;
  /** Returns one count per reactor, ordered by name. Leaves out reactors without failed items. */
  counts(): Promise<FailedItemCount[]>;
  /**
   * Makes items due immediately, and resets their number of attempts.
   *
   * @param id null: all items of the reactor
   *
   * @returns the number of items
   */
  retry(reactor: string, id: string | null): Promise<number>;
  /** Removes all items of a reactor. */
  clear(reactor: string): Promise<void>;
}

export interface Coordination {
  /** Failed items of reactors. */
  readonly failedItems: FailedItems;
  /** Small values with an expiry. */
  readonly entries: Entries;

  /**
   * Waits until the lease is granted; rejects when the signal aborts. In an embedded service, the lease is granted
   * immediately.
   */
  acquire(name: string, signal: AbortSignal): Promise<Lease>;

  /**
   * Creates a claim if there is no record yet. Replaces a claim without a response after 30 s, and any record after 24
   * h.
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

  /** Returns the live generation of each projection version. Cheap enough to call before every read. */
  catalogue(): Promise<CatalogueEntry[]>;
  /**
   * Issues the next generation number of a projection version to the process that builds it. No number is ever issued
   * twice.
   *
   * @param token of the lease under which the generation is built
   */
  nextGeneration(projection: string, token: bigint): Promise<number>;
  /**
   * Makes a generation live, in one atomic update.
   *
   * @throws StaleLease a process with a later lease has already made a generation live; nothing was changed
   */
  switchGeneration(projection: string, generation: number, token: bigint): Promise<void>;
  /**
   * Removes a projection version from the catalogue. All of its generations must have been dropped before. Does nothing
   * if the catalogue does not contain it.
   *
   * @param token of the projection's lease, which the caller must hold
   * @throws StaleLease a process with a later lease has made a switch; nothing was changed
   */
  removeFromCatalogue(projection: string, token: bigint): Promise<void>;

  /** Reads a small value by its name, such as a reactor's checkpoint; null if there is none. */
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
  /**
   * Writes a value unless one exists: the first writer wins.
   *
   * @returns the value that is stored afterwards
   */
  writeOnce(name: string, value: string): Promise<string>;
  /** Returns the values whose names begin with a prefix, ordered by name. */
  readByPrefix(prefix: string): Promise<{ name: string; value: string }[]>;

  close(): Promise<void>;
}

/** Coordination of an embedded service: `service.lock` ensures that no other service is running. */
export interface EmbeddedCoordination extends Coordination {
  /** Withdraws every claim without a response. Call at startup, when the processes that created them are dead. */
  abandonAll(): Promise<void>;
}

/** Another process holds the lease now. The caller must stop the work for which it needed the lease. */
export class StaleLease extends Error {
  constructor(projection: string, token: bigint, newest: bigint) {
    super(`Lease ${token} of ${projection} is stale: ${newest} has switched since.`);
    this.name = 'StaleLease';
  }
}

/**
 * Name of the value that contains a sentence about why reactors are halted (docs/develop/projections.md#generations).
 * The value is null or empty while reactors run. An operator resumes them.
 */
export const REACTORS_HALTED = 'reactors-halted';

/** Name of the value with the progress of result retention (domain/retention.ts). */
export const RETENTION = 'retention';

/** Name of the value with the point up to which an operator has confirmed result retention. */
export const RETENTION_CONFIRMED = 'retention-confirmed';

/** Name of the value with the progress of deleting the keys of client addresses (domain/retention.ts). */
export const CLIENT_RETENTION = 'client-retention';

/**
 * Name of the value with the point up to which an operator has confirmed the deletion of the keys of client addresses.
 */
export const CLIENT_RETENTION_CONFIRMED = 'client-retention-confirmed';

/** Name of the value with the last known head of the log `main` (service/logs/log-heads.ts). */
export const LOG_HEAD = 'log-head';

/** Coordination data can't be read or written at the moment (disk full, connection lost). */
export class CoordinationUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CoordinationUnavailable';
  }
}
