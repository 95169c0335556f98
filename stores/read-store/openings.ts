import { StaleWriter, type Generation, type WriterLease } from './port.ts';

interface Opening {
  writer: WriterLease | null;
  /** newest token of each lease under which the generation was opened */
  tokens: Map<string, bigint>;
}

/** Records which writer has opened which generation, for a store that belongs to one process. */
export class Openings {
  readonly #byProjection = new Map<string, Map<number, Opening>>();

  /** @throws StaleWriter an earlier call has opened the generation under a later token of this lease */
  open(generation: Generation, lease: WriterLease | null): void {
    const { projection, number } = generation;
    const all = this.#byProjection.get(projection) ?? new Map<number, Opening>();
    const opening = all.get(number) ?? { writer: null, tokens: new Map<string, bigint>() };
    if (lease && isLater(opening, lease)) throw new StaleWriter(generation);
    opening.writer = lease;
    if (lease) opening.tokens.set(lease.name, lease.token);
    this.#byProjection.set(projection, all.set(number, opening));
  }

  /** @throws StaleWriter the generation was not opened here */
  commit(generation: Generation): void {
    if (!this.#byProjection.get(generation.projection)?.has(generation.number)) throw new StaleWriter(generation);
  }

  /** @throws StaleWriter the lease has a later holder, so the caller may no longer drop generations (ReadStore.drop) */
  drop(generation: Generation, lease: WriterLease): void {
    const all = this.#byProjection.get(generation.projection);
    if (!all) return;
    const own = all.get(generation.number);
    const takenOver = own?.tokens.has(lease.name) && own.writer?.name !== lease.name;
    if (takenOver || [...all.values()].some((opening) => isLater(opening, lease))) throw new StaleWriter(generation);
    all.delete(generation.number);
  }
}

const isLater = ({ tokens }: Opening, { name, token }: WriterLease): boolean => (tokens.get(name) ?? token) > token;
