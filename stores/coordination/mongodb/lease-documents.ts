import type { Collection, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { toLong } from '../../mongodb/open.ts';

/** A lease, whether or not it has a holder. Documents are never removed, so tokens only grow. */
export interface LeaseDocument {
  _id: string;
  token: Long | bigint;
  /** number of renewals by the holder */
  beat: Long | bigint;
  held: boolean;
  /** host, process id and a random part, for people who inspect the database */
  holder: string;
}

/** A lease that a process holds. */
export interface LeaseGrant {
  name: string;
  token: bigint;
}

/** Reads and writes lease documents. A process that reads or renews many leases sends one command for all of them. */
export class LeaseDocuments {
  readonly #collection: Collection<LeaseDocument>;
  /** the names requested during this iteration of the event loop */
  #requested: { names: Set<string>; answer: Promise<Map<string, LeaseDocument>> } | null = null;

  constructor(collection: Collection<LeaseDocument>) {
    this.#collection = collection;
  }

  /** Reads a lease. All calls in one iteration of the event loop share one command. */
  async read(name: string): Promise<LeaseDocument | null> {
    this.#requested ??= this.#gather();
    this.#requested.names.add(name);
    return (await this.#requested.answer).get(name) ?? null;
  }

  #gather() {
    const names = new Set<string>();
    const response = (async () => {
      await new Promise(setImmediate);
      this.#requested = null;
      const found = await this.#collection.find({ _id: { $in: [...names] } }, { useBigInt64: true }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    })();
    return { names, answer: response };
  }

  /**
   * Renews leases.
   *
   * @returns false if at least one lease has another token by now, because another process took it over
   */
  async renew(holdings: readonly LeaseGrant[]): Promise<boolean> {
    const updates = holdings.map(({ name, token }) => ({
      updateOne: {
        filter: { _id: name, token: toLong(token), held: true },
        update: { $inc: { beat: toLong(1n) } },
      },
    }));
    const { matchedCount } = await this.#collection.bulkWrite(updates, { ordered: false });
    return matchedCount === holdings.length;
  }

  /**
   * Creates a lease that never had a holder.
   *
   * @returns false if another process was first
   */
  async create({ name, token }: LeaseGrant, holder: string): Promise<boolean> {
    try {
      await this.#collection.insertOne({ _id: name, token: toLong(token), beat: toLong(0n), held: true, holder });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /**
   * Takes over a lease under a new token, provided that it is unchanged since it was read.
   *
   * @returns false if another process was first
   */
  async takeOver(seen: LeaseGrant & { beat: bigint; held: boolean }, token: bigint, holder: string): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: seen.name, token: toLong(seen.token), beat: toLong(seen.beat), held: seen.held },
      { $set: { token: toLong(token), beat: toLong(0n), held: true, holder } },
    );
    return matchedCount === 1;
  }

  async release({ name, token }: LeaseGrant): Promise<void> {
    await this.#collection.updateOne({ _id: name, token: toLong(token) }, { $set: { held: false } });
  }
}
