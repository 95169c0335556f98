import type { Entries } from './entries.ts';

export type { Entries, Entry, EntryKind, StoredEntry } from './entries.ts';
export { endAccess } from './entries.ts';

/** A lease that is held; `token` grows with every holder (fencing). */
export interface Lease {
  readonly name: string;
  readonly token: bigint;
  /** aborted when the lease is lost */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** The first request with an `Idempotency-Key`, and its answer (decisions.md: HTTP rules). */
export interface IdempotencyRecord {
  /** hash of API key and `Idempotency-Key` */
  id: string;
  /** hash of method, path and body */
  fingerprint: string;
  /** null while the first request is in flight */
  answer: { status: number; headers: Record<string, string>; body: string } | null;
  /** milliseconds since 1970 */
  created_at: number;
}

/** Which generation of a projection version is read (design.md: Projections, generation). */
export interface CatalogueEntry {
  /** name@version */
  projection: string;
  /** the generation that readers use; null before the first build has finished */
  live: number | null;
  /** highest generation number ever given, so that none is used twice */
  last: number;
}

/** An item of a reactor's list that could not be done (reactors/engine/). */
export interface HeldItem {
  /** id of the item on its list */
  id: string;
  /** position of the event that gave the item the form in which it was tried */
  position: number;
  /** `retrying`: it is tried again automatically; `given_up`: only when an operator asks for it, or it changes */
  state: 'retrying' | 'given_up';
  /** how often it was tried */
  tries: number;
  /** earliest time of the next try, milliseconds since 1970; 0: at once */
  again: number;
  /** when it was last tried; a clock that shows less was set back, and then nothing waits any longer */
  tried: number;
  /** when it was first tried */
  since: number;
  /** why it could not be done, a sentence */
  reason: string;
}

/** How many items of a reactor could not be done. */
export interface HeldCount {
  reactor: string;
  retrying: number;
  given_up: number;
  /** when the oldest item still being retried was first tried, milliseconds since 1970; null when there is none */
  retrying_since: number | null;
}

/**
 * What reactors could not do, by reactor and item, so that neither a restart nor another process forgets it. Every
 * write carries the token of the writer's lease: an item that was written under a later lease stays unchanged.
 */
export interface HeldItems {
  /** Stores items, replacing what was stored of them before. They are durable when this resolves. */
  keep(reactor: string, token: bigint, items: readonly HeldItem[]): Promise<void>;
  /** Removes items that are done or no longer on the list. */
  release(reactor: string, token: bigint, ids: readonly string[]): Promise<void>;
  /** At most `limit` items of a reactor, by id, after the given one. */
  page(reactor: string, query: { after: string | null; limit: number; state?: HeldItem['state'] }): Promise<HeldItem[]>;
  /** In no particular order; absent ones are left out. */
  find(reactor: string, ids: readonly string[]): Promise<HeldItem[]>;
  /** Counts by reactor, for those that hold any, by name. */
  counts(): Promise<HeldCount[]>;
  /**
   * Lets an item, or all items of a reactor, be tried again at once, as if for the first time.
   *
   * @returns how many there were
   */
  retry(reactor: string, id: string | null): Promise<number>;
  /** Removes all items of a reactor. */
  clear(reactor: string): Promise<void>;
}

export interface Coordination {
  /** What reactors could not do. */
  readonly held: HeldItems;
  /** State that ends by itself. */
  readonly entries: Entries;

  /** Waits until the lease is granted or the signal aborts (then it rejects). Embedded: at once. */
  acquire(name: string, signal: AbortSignal): Promise<Lease>;

  /**
   * Puts a claim if there is no record, or only a claim without an answer older than 30 s, or one
   * older than 24 h.
   *
   * @returns null when the claim was put, otherwise the existing record
   */
  claim(id: string, fingerprint: string, now: number): Promise<IdempotencyRecord | null>;
  /** Stores the answer of a claim. */
  answer(id: string, answer: NonNullable<IdempotencyRecord['answer']>): Promise<void>;
  /** Withdraws a claim whose answer is not stored; a record with an answer stays. */
  abandon(id: string): Promise<void>;
  /** Removes records older than 24 h. */
  expire(now: number): Promise<void>;

  /** All entries, by projection; cheap enough to call before every read. */
  catalogue(): Promise<CatalogueEntry[]>;
  /**
   * Gives the next generation number of a projection version to whoever builds one; `token` is that of the
   * lease it is built under. No number is given twice, whatever the token.
   */
  nextGeneration(projection: string, token: bigint): Promise<number>;
  /**
   * Makes a generation the one that readers use, in one update.
   *
   * @throws StaleLease a switch was already made under a later lease; nothing was changed
   */
  switchGeneration(projection: string, generation: number, token: bigint): Promise<void>;

  /** Small values by name, such as the position a reactor has handled; null when absent. */
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
  /**
   * Writes a value unless there is one; the first writer wins.
   *
   * @returns the value that is stored now
   */
  writeOnce(name: string, value: string): Promise<string>;
  /** The values whose names begin with a prefix, by name. */
  readUnder(prefix: string): Promise<{ name: string; value: string }[]>;

  close(): Promise<void>;
}

/** Coordination of a single service, which knows that no other is alive. */
export interface EmbeddedCoordination extends Coordination {
  /** Withdraws every claim without an answer: those who made them are dead. */
  abandonAll(): Promise<void>;
}

/** Somebody else holds the lease now; the caller must stop its work under its own. */
export class StaleLease extends Error {
  constructor(projection: string, token: bigint, newest: bigint) {
    super(`Lease ${token.toString()} of ${projection} is stale: ${newest.toString()} has switched since.`);
    this.name = 'StaleLease';
  }
}

/**
 * Name of the value that says, in a sentence, why reactors are halted until an operator resumes them;
 * null or empty while they run (design.md: Projections, log id).
 */
export const REACTORS_HALTED = 'reactors-halted';

/** Name of the value that holds how far the retention of results has gone (domain/retention.ts). */
export const RETENTION = 'retention';

/** Name of the value that holds how far an operator has confirmed that it may go. */
export const RETENTION_CONFIRMED = 'retention-confirmed';

/** Name of the value that holds how far the keys of where requests came from are forgotten (domain/retention.ts). */
export const CLIENT_RETENTION = 'client-retention';

/** Name of the value that holds how far an operator has confirmed that this may go. */
export const CLIENT_RETENTION_CONFIRMED = 'client-retention-confirmed';

/** Name of the value that holds the last head of the log main (service/logs/log-heads.ts). */
export const LOG_HEAD = 'log-head';

/** Coordination data can't be read or written at the moment (disk full, connection lost). */
export class CoordinationUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CoordinationUnavailable';
  }
}
