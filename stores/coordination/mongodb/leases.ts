import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Collection } from 'mongodb';
import type { Lease } from '../port.ts';
import type { Clock } from './clock.ts';
import { LeaseDocuments, type LeaseDocument } from './lease-documents.ts';

/** All in milliseconds. */
export const LEASE_TIMINGS = {
  /** how often a holder renews its lease */
  beat: 2_000,
  /** a holder that could not renew for this long stops */
  stop: 6_000,
  /** a candidate that saw neither token nor beat change for this long takes over */
  takeover: 7_000,
  /** how often a candidate looks, and so how soon it takes over a released lease */
  look: 500,
} as const;

interface Sighting {
  token: bigint;
  beat: bigint;
  /** on the candidate's own clock */
  since: number;
}

/**
 * Leases that are kept by renewing them (design.md: Coordination). No process compares its clock with
 * another's: a candidate watches the beat for longer than a holder goes on without renewing.
 */
export class Leases {
  readonly #documents: LeaseDocuments;
  readonly #clock: Clock;
  readonly #self = `${hostname()}:${process.pid.toString()}:${randomBytes(6).toString('hex')}`;
  readonly #sightings = new Map<string, Sighting>();
  readonly #held = new Set<HeldLease>();
  readonly #attempting = new Set<string>();
  /** null while nothing is held */
  #cancelBeat: (() => void) | null = null;

  constructor(collection: Collection<LeaseDocument>, clock: Clock) {
    this.#documents = new LeaseDocuments(collection);
    this.#clock = clock;
  }

  /**
   * Looks at a lease once, and takes it if it is free. A grant whose answer was lost is found at the
   * next look.
   *
   * @returns null when somebody else holds it
   */
  async attempt(name: string): Promise<Lease | null> {
    // What looks abandoned to this attempt may have been granted to another attempt of this opening.
    if (this.#attempting.has(name)) return null;
    this.#attempting.add(name);
    try {
      return await this.#look(name);
    } finally {
      this.#attempting.delete(name);
    }
  }

  async #look(name: string): Promise<Lease | null> {
    const asked = this.#clock.now();
    const document = await this.#documents.read(name);
    if (!document) {
      const made = await this.#documents.make({ name, token: 1n }, this.#self);
      return made ? this.#hold(name, 1n, asked) : null;
    }
    const { held } = document;
    const token = BigInt(document.token.toString());
    const beat = BigInt(document.beat.toString());
    if (held && !this.#isAbandoned(document, token) && !this.#isSilent(name, token, beat)) return null;
    const granted = this.#clock.now();
    const taken = await this.#documents.take({ name, token, beat, held }, token + 1n, this.#self);
    return taken ? this.#hold(name, token + 1n, granted) : null;
  }

  /** Releases what is held. */
  async releaseAll(): Promise<void> {
    await Promise.all([...this.#held].map((lease) => lease.release()));
  }

  #hold(name: string, token: bigint, granted: number): Lease {
    this.#sightings.delete(name);
    const lease = new HeldLease(name, token, granted, this.#documents, this.#clock, () => {
      this.#held.delete(lease);
      if (this.#held.size > 0) return;
      this.#cancelBeat?.();
      this.#cancelBeat = null;
    });
    this.#held.add(lease);
    if (!this.#cancelBeat) this.#scheduleBeat();
    return lease;
  }

  #scheduleBeat(): void {
    this.#cancelBeat = this.#clock.after(LEASE_TIMINGS.beat, () => {
      // A hanging release does not hold up the next.
      void this.#renew([...this.#held]);
      this.#scheduleBeat();
    });
  }

  /** Renews all with one command; if one of them is no longer held, each is renewed by itself. */
  async #renew(leases: readonly HeldLease[]): Promise<void> {
    const sent = this.#clock.now();
    try {
      if (await this.#documents.renew(leases)) for (const lease of leases) lease.renewed(sent);
      else for (const lease of leases) void lease.renew();
    } catch {
      // The next attempt may succeed; otherwise time runs out.
    }
  }

  /** Whether the lease was this opening's own and is no longer in use. */
  #isAbandoned({ _id, holder }: LeaseDocument, token: bigint): boolean {
    return holder === this.#self && ![...this.#held].some((lease) => lease.name === _id && lease.token === token);
  }

  #isSilent(name: string, token: bigint, beat: bigint): boolean {
    const now = this.#clock.now();
    const seen = this.#sightings.get(name);
    if (seen?.token === token && seen.beat === beat) return now - seen.since >= LEASE_TIMINGS.takeover;
    this.#sightings.set(name, { token, beat, since: now });
    return false;
  }
}

/** A lease in use: renewed until it is released or could not be renewed in time. */
class HeldLease implements Lease {
  readonly name: string;
  readonly token: bigint;
  readonly #documents: LeaseDocuments;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  readonly #ended: () => void;
  /** when the last successful renewal was sent; the server can't have done it before that */
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

  /** Never fails: if the release can't be sent, others notice the silence. */
  async release(): Promise<void> {
    if (this.#over) return;
    this.#end();
    try {
      await this.#documents.release(this);
    } catch {
      // Its beat stops from now on.
    }
  }

  /** A request sent at this time has renewed the lease. */
  renewed(sent: number): void {
    if (this.#over || sent <= this.#renewed) return;
    this.#renewed = sent;
    this.#watch();
  }

  /** Renews this lease alone, and finds out whether it is still held. */
  async renew(): Promise<void> {
    const sent = this.#clock.now();
    try {
      if (await this.#documents.renew([this])) this.renewed(sent);
      else this.#lose('somebody else holds it now');
    } catch {
      // The next attempt may succeed; otherwise time runs out.
    }
  }

  /** Stops when the time since the last renewal has run out. */
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
