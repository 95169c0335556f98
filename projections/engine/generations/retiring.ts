import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { WriterLease } from '../../../stores/read-store/port.ts';
import type { Folding } from '../fold/folding.ts';
import type { ProjectionContext } from '../options.ts';

/** A generation that was replaced. New events are folded into it for a while, for its remaining readers. */
export class RetiringGeneration {
  readonly number: number;
  readonly #context: ProjectionContext;
  readonly #lease: WriterLease;
  readonly #ended = new AbortController();
  #folding: Folding | null;

  /**
   * @param fed whether to fold new events; false if this generation is behind the generation that replaced it
   * @param lease lease under which this generation was replaced
   */
  constructor(folding: Folding, fed: boolean, context: ProjectionContext, lease: WriterLease) {
    this.number = folding.generation.number;
    this.#folding = fed ? folding : null;
    this.#context = context;
    this.#lease = lease;
    void this.#drop(folding);
  }

  /** Whether new events must still be folded into this generation. */
  get isFed(): boolean {
    return this.#folding !== null;
  }

  async take(events: readonly RecordedEvent[]): Promise<void> {
    if (!this.#folding) return;
    try {
      await this.#folding.fold(events);
      if (this.#folding.dirty || (this.#context.positionsFollowed && this.#folding.hasHandledEvents)) {
        await this.#folding.commit();
      }
    } catch (error) {
      this.#giveUp(error, 'is no longer fed');
    }
  }

  /** Stops: the generation is not fed any more, and this process does not drop it. */
  end(): void {
    this.#folding = null;
    this.#ended.abort();
  }

  async #drop({ generation }: Folding): Promise<void> {
    const { timings, readStore } = this.#context;
    const signal = AbortSignal.any([this.#context.signal, this.#ended.signal]);
    try {
      await sleep(timings.retiringFed, undefined, { signal });
      this.#folding = null;
      await readStore.drop(generation, this.#lease);
    } catch (error) {
      // The generation is an orphan now, and is dropped at the next start.
      if (!signal.aborted) this.#giveUp(error, 'could not be dropped');
    }
  }

  #giveUp(error: unknown, what: string): void {
    this.#folding = null;
    this.#context.log('warn', `A retiring generation ${what}.`, { generation: this.number, error: String(error) });
  }
}
