import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Collection, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { longOf } from '../../mongodb/open.ts';
import type { Lease } from '../port.ts';
import type { Clock } from './clock.ts';

/** A lease, held or not; it is never removed, so that its token only grows. */
export interface LeaseDocument {
  _id: string;
  token: Long | bigint;
  /** how often its holder has renewed it */
  beat: Long | bigint;
  held: boolean;
  /** host, process and opening, for those who look */
  holder: string;
}

/** All in milliseconds. */
export const LEASE_TIMINGS = {
  /** a holder renews its lease so often */
  beat: 2_000,
  /** a holder that could not renew for so long stops */
  stop: 6_000,
  /** a candidate that saw neither token nor beat change for so long takes over */
  takeover: 7_000,
  /** a candidate looks so often; so soon it takes over what was released */
  look: 500,
} as const;

interface Sighting {
  token: bigint;
  beat: bigint;
  /** on the candidate's own clock */
  since: number;
}

/**
 * Leases that are held by renewing them (design.md: Coordination). No process compares its clock with
 * another's: a candidate watches the beat for longer than a holder goes on without renewing it.
 */
export class Leases {
  readonly #documents: Collection<LeaseDocument>;
  readonly #clock: Clock;
  readonly #self = `${hostname()}:${process.pid.toString()}:${randomBytes(6).toString('hex')}`;
  readonly #sightings = new Map<string, Sighting>();
  readonly #held = new Set<HeldLease>();
  readonly #attempting = new Set<string>();

  constructor(documents: Collection<LeaseDocument>, clock: Clock) {
    this.#documents = documents;
    this.#clock = clock;
  }

  /**
   * Looks at a lease once, and takes it where it is free. A grant whose answer is lost is found with the
   * next look.
   *
   * @returns null when it is another's
   */
  async attempt(name: string): Promise<Lease | null> {
    // Another attempt of this opening may have been granted what looks abandoned to this one.
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
    const document = await this.#documents.findOne({ _id: name }, { useBigInt64: true });
    if (!document) return (await this.#make(name)) ? this.#hold(name, 1n, asked) : null;
    const token = BigInt(document.token.toString());
    const beat = BigInt(document.beat.toString());
    if (document.held && !this.#isAbandoned(document, token) && !this.#isSilent(name, token, beat)) return null;
    const granted = this.#clock.now();
    const { matchedCount } = await this.#documents.updateOne(
      { _id: name, token: longOf(token), beat: longOf(beat), held: document.held },
      { $set: { token: longOf(token + 1n), beat: longOf(0n), held: true, holder: this.#self } },
    );
    return matchedCount === 1 ? this.#hold(name, token + 1n, granted) : null;
  }

  /** Gives back what is held. */
  async releaseAll(): Promise<void> {
    await Promise.all([...this.#held].map((lease) => lease.release()));
  }

  async #make(name: string): Promise<boolean> {
    try {
      await this.#documents.insertOne({
        _id: name,
        token: longOf(1n),
        beat: longOf(0n),
        held: true,
        holder: this.#self,
      });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  #hold(name: string, token: bigint, granted: number): Lease {
    this.#sightings.delete(name);
    const lease = new HeldLease(name, token, granted, this.#documents, this.#clock, () => this.#held.delete(lease));
    this.#held.add(lease);
    return lease;
  }

  /** Whether it was this opening's own, which does not work under it any more. */
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

/** A lease in use: renewed until it is released, or could not be renewed in time. */
class HeldLease implements Lease {
  readonly name: string;
  readonly token: bigint;
  readonly #documents: Collection<LeaseDocument>;
  readonly #clock: Clock;
  readonly #lost = new AbortController();
  readonly #ended: () => void;
  /** when the last renewal that succeeded was sent, which is before the server can have done it */
  #renewed: number;
  #cancelBeat: () => void = () => undefined;
  #cancelStop: () => void = () => undefined;
  #over = false;

  constructor(
    name: string,
    token: bigint,
    granted: number,
    documents: Collection<LeaseDocument>,
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
    this.#scheduleBeat();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Never fails: if it can't be told, others find out by its silence. */
  async release(): Promise<void> {
    if (this.#over) return;
    this.#end();
    try {
      await this.#documents.updateOne({ _id: this.name, token: longOf(this.token) }, { $set: { held: false } });
    } catch {
      // Its beat stands still from now on.
    }
  }

  #scheduleBeat(): void {
    this.#cancelBeat = this.#clock.after(LEASE_TIMINGS.beat, () => {
      // One that hangs does not keep the next from being sent.
      void this.#renew();
      this.#scheduleBeat();
    });
  }

  async #renew(): Promise<void> {
    const sent = this.#clock.now();
    try {
      const filter = { _id: this.name, token: longOf(this.token), held: true };
      const { matchedCount } = await this.#documents.updateOne(filter, { $inc: { beat: longOf(1n) } });
      if (this.#over) return;
      if (matchedCount === 0) {
        this.#lose('another holds it by now');
      } else if (sent > this.#renewed) {
        this.#renewed = sent;
        this.#watch();
      }
    } catch {
      // The next one may come through; else time runs out.
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
    this.#cancelBeat();
    this.#cancelStop();
    this.#ended();
  }
}
