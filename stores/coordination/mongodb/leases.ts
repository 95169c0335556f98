import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Collection } from 'mongodb';
import type { Lease } from '../port.ts';
import type { Clock } from './clock.ts';
import { LeaseDocuments, type LeaseDocument } from './lease-documents.ts';

/** Timings of leases, in milliseconds. */
export const LEASE_TIMINGS = {
  /** how often a holder renews its lease */
  beat: 2_000,
  /** a holder that could not renew its lease for this long stops using the lease */
  stop: 6_000,
  /** a candidate that saw the same token and beat for this long takes over the lease */
  takeover: 7_000,
  /** how often a candidate reads the lease, and thus the longest delay before it takes over a released lease */
  poll: 500,
} as const;

interface Observation {
  token: bigint;
  beat: bigint;
  /** when the candidate first saw this token and beat, on its own clock */
  since: number;
}

/**
 * The leases of one process, which renews them (docs/develop/stores.md#coordination). Processes never compare clocks.
 * Instead, a candidate waits until the beat has been unchanged for 7 s, and a holder stops after 6 s without a renewal.
 */
export class Leases {
  readonly #documents: LeaseDocuments;
  readonly #clock: Clock;
  readonly #self = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  readonly #sightings = new Map<string, Observation>();
  readonly #leases = new Set<ActiveLease>();
  readonly #attempting = new Set<string>();
  /** null while this process has no lease */
  #cancelBeat: (() => void) | null = null;

  constructor(collection: Collection<LeaseDocument>, clock: Clock) {
    this.#documents = new LeaseDocuments(collection);
    this.#clock = clock;
  }

  /**
   * Reads a lease once, and takes it if it is free. If the response to a successful write is lost, the next attempt
   * recognizes the lease as this instance's own.
   *
   * @returns null if another process holds the lease
   */
  async attempt(name: string): Promise<Lease | null> {
    // Only one attempt per lease runs at a time. A second attempt would treat a lease as abandoned that the first
    // attempt has just been granted.
    if (this.#attempting.has(name)) return null;
    this.#attempting.add(name);
    try {
      return await this.#look(name);
    } finally {
      this.#attempting.delete(name);
    }
  }

  async #look(name: string): Promise<Lease | null> {
    const requestedAt = this.#clock.now();
    const document = await this.#documents.read(name);
    if (!document) {
      const made = await this.#documents.create({ name, token: 1n }, this.#self);
      return made ? this.#hold(name, 1n, requestedAt) : null;
    }
    const { held } = document;
    const token = BigInt(document.token.toString());
    const beat = BigInt(document.beat.toString());
    if (held && !this.#isAbandoned(document, token) && !this.#isSilent(name, token, beat)) return null;
    const granted = this.#clock.now();
    const taken = await this.#documents.takeOver({ name, token, beat, held }, token + 1n, this.#self);
    return taken ? this.#hold(name, token + 1n, granted) : null;
  }

  /** Releases all leases of this instance. */
  async releaseAll(): Promise<void> {
    await Promise.all([...this.#leases].map((lease) => lease.release()));
  }

  #hold(name: string, token: bigint, granted: number): Lease {
    this.#sightings.delete(name);
    const lease = new ActiveLease(name, token, granted, this.#documents, this.#clock, () => {
      this.#leases.delete(lease);
      if (this.#leases.size > 0) return;
      this.#cancelBeat?.();
      this.#cancelBeat = null;
    });
    this.#leases.add(lease);
    if (!this.#cancelBeat) this.#scheduleBeat();
    return lease;
  }

  #scheduleBeat(): void {
    this.#cancelBeat = this.#clock.after(LEASE_TIMINGS.beat, () => {
      // Not awaited: a hanging renewal must not delay the next one.
      void this.#renew([...this.#leases]);
      this.#scheduleBeat();
    });
  }

  /** Renews all leases with one command. If one of them is lost, renews each separately to find out which. */
  async #renew(leases: readonly ActiveLease[]): Promise<void> {
    const sent = this.#clock.now();
    try {
      if (await this.#documents.renew(leases)) for (const lease of leases) lease.renewed(sent);
      else for (const lease of leases) void lease.renew();
    } catch {
      // The next renewal may succeed. If none succeeds in time, the lease ends.
    }
  }

  /** Returns whether this instance has taken the lease, but does not use it yet or any more. */
  #isAbandoned({ _id, holder }: LeaseDocument, token: bigint): boolean {
    return holder === this.#self && ![...this.#leases].some((lease) => lease.name === _id && lease.token === token);
  }

  #isSilent(name: string, token: bigint, beat: bigint): boolean {
    const now = this.#clock.now();
    const seen = this.#sightings.get(name);
    if (seen?.token === token && seen.beat === beat) return now - seen.since >= LEASE_TIMINGS.takeover;
    this.#sightings.set(name, { token, beat, since: now });
    return false;
  }
}

/** A lease in use. It is renewed until it is released, or until a renewal fails for too long. */
class ActiveLease implements Lease {
  readonly name: string;
  readonly token: bigint;
  readonly #documents: LeaseDocuments;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  readonly #ended: () => void;
  /** when the most recent successful renewal was sent; the server can't have applied it earlier */
  #renewed: number;
  #cancelStop: () => void = () => undefined;
  #over = false;

  constructor(
    name: string,
    token: bigint,
    granted: number,
    documents: LeaseDocuments,
    clock: Clock,
    ended: () => void,
  ) {
    this.name = name;
    this.token = token;
    this.#renewed = granted;
    this.#documents = documents;
    this.#clock = clock;
    this.#ended = ended;
    this.#watch();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Releases the lease. Never fails: if the release can't be sent, the lease expires without renewals. */
  async release(): Promise<void> {
    if (this.#over) return;
    this.#end();
    try {
      await this.#documents.release(this);
    } catch {
      // Without renewals, the lease expires.
    }
  }

  /** Records that a request sent at this time has renewed the lease. */
  renewed(sent: number): void {
    if (this.#over || sent <= this.#renewed) return;
    this.#renewed = sent;
    this.#watch();
  }

  /** Renews this lease alone, and detects its loss. */
  async renew(): Promise<void> {
    const sent = this.#clock.now();
    try {
      if (await this.#documents.renew([this])) this.renewed(sent);
      else this.#lose('another process holds it now');
    } catch {
      // The next renewal may succeed. If none succeeds in time, the lease ends.
    }
  }

  /** Starts a timer that ends the lease unless the lease is renewed in time. */
  #watch(): void {
    this.#cancelStop();
    const left = this.#renewed + LEASE_TIMINGS.stop - this.#clock.now();
    this.#cancelStop = this.#clock.after(Math.max(0, left), () => {
      this.#lose('it could not be renewed');
    });
  }

  #lose(reason: string): void {
    if (this.#over) return;
    this.#end();
    this.#lost.abort(new Error(`The lease ${this.name} is lost: ${reason}.`));
  }

  #end(): void {
    this.#over = true;
    this.#cancelStop();
    this.#ended();
  }
}
