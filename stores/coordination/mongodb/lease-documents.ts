import type { Collection, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { longOf } from '../../mongodb/open.ts';

/** A lease, held or not; it is never removed, so its token only grows. */
export interface LeaseDocument {
  _id: string;
  token: Long | bigint;
  /** how often its holder has renewed it */
  beat: Long | bigint;
  held: boolean;
  /** host, process and opening, for people who look */
  holder: string;
}

/** A lease as seen by its holder. */
export interface Holding {
  name: string;
  token: bigint;
}

/** Documents of leases. A process that reads or renews many of them sends one command for all. */
export class LeaseDocuments {
  readonly #collection: Collection<LeaseDocument>;
  /** what is asked for in this turn of the event loop */
  #asked: { names: Set<string>; answer: Promise<Map<string, LeaseDocument>> } | null = null;

  constructor(collection: Collection<LeaseDocument>) {
    this.#collection = collection;
  }

  /** All callers in one turn of the event loop share a command. */
  async read(name: string): Promise<LeaseDocument | null> {
    this.#asked ??= this.#gather();
    this.#asked.names.add(name);
    return (await this.#asked.answer).get(name) ?? null;
  }

  #gather() {
    const names = new Set<string>();
    const answer = (async () => {
      await new Promise(setImmediate);
      this.#asked = null;
      const found = await this.#collection.find({ _id: { $in: [...names] } }, { useBigInt64: true }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    })();
    return { names, answer };
  }

  /** @returns whether all were held under their tokens and have been renewed */
  async renew(holdings: readonly Holding[]): Promise<boolean> {
    const updates = holdings.map(({ name, token }) => ({
      updateOne: {
        filter: { _id: name, token: longOf(token), held: true },
        update: { $inc: { beat: longOf(1n) } },
      },
    }));
    const { matchedCount } = await this.#collection.bulkWrite(updates, { ordered: false });
    return matchedCount === holdings.length;
  }

  /** Creates a lease that was never held. @returns false when somebody else was faster */
  async make({ name, token }: Holding, holder: string): Promise<boolean> {
    try {
      await this.#collection.insertOne({ _id: name, token: longOf(token), beat: longOf(0n), held: true, holder });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Takes a lease, unchanged since it was read, under a new token. @returns false when somebody else was faster */
  async take(seen: Holding & { beat: bigint; held: boolean }, token: bigint, holder: string): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: seen.name, token: longOf(seen.token), beat: longOf(seen.beat), held: seen.held },
      { $set: { token: longOf(token), beat: longOf(0n), held: true, holder } },
    );
    return matchedCount === 1;
  }

  async release({ name, token }: Holding): Promise<void> {
    await this.#collection.updateOne({ _id: name, token: longOf(token) }, { $set: { held: false } });
  }
}
