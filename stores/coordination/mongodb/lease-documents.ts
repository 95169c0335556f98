import type { Collection, Long } from 'mongodb';
import { isDuplicate } from '../../mongodb/failures.ts';
import { longOf } from '../../mongodb/open.ts';

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

/** A lease as its holder knows it. */
export interface Holding {
  name: string;
  token: bigint;
}

/** The documents of leases, for a process that looks at many of them, and renews many: a command for all at once. */
export class LeaseDocuments {
  readonly #collection: Collection<LeaseDocument>;
  /** what is asked for in this turn of the event loop */
  #asked: { names: Set<string>; answer: Promise<Map<string, LeaseDocument>> } | null = null;

  constructor(collection: Collection<LeaseDocument>) {
    this.#collection = collection;
  }

  /** All who ask in one turn of the event loop share a command. */
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

  /** @returns whether all were held under their tokens, and are renewed */
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

  /** Makes a lease that was never held. @returns false when somebody else was faster */
  async make({ name, token }: Holding, holder: string): Promise<boolean> {
    try {
      await this.#collection.insertOne({ _id: name, token: longOf(token), beat: longOf(0n), held: true, holder });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Takes a lease that is as it was seen, under another token. @returns false when somebody else was faster */
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
