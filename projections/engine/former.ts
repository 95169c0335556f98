import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Folding } from './folding.ts';
import type { Surroundings } from './options.ts';

/** The generation that readers used before a switch: fed along for those who still read it, then dropped. */
export class FormerGeneration {
  readonly number: number;
  readonly #surroundings: Surroundings;
  #folding: Folding | null;

  /** @param fed false when it is behind the one that took its place */
  constructor(folding: Folding, fed: boolean, surroundings: Surroundings) {
    this.number = folding.generation.number;
    this.#folding = fed ? folding : null;
    this.#surroundings = surroundings;
    void this.#drop(folding);
  }

  async take(events: readonly RecordedEvent[]): Promise<void> {
    if (!this.#folding) return;
    try {
      await this.#folding.fold(events);
      await this.#folding.commit();
    } catch (error) {
      this.#end(error, 'is not fed any more');
    }
  }

  async #drop({ generation }: Folding): Promise<void> {
    const { timings, readStore, signal } = this.#surroundings;
    try {
      await sleep(timings.formerFed, undefined, { signal });
      this.#folding = null;
      await readStore.drop(generation);
    } catch (error) {
      // One that is left over is dropped at the next start.
      if (!signal.aborted) this.#end(error, 'is not dropped');
    }
  }

  #end(error: unknown, what: string): void {
    this.#folding = null;
    this.#surroundings.log('warn', `A former generation ${what}.`, { generation: this.number, error: String(error) });
  }
}
