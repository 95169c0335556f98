import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { AnyProjection } from '../fold/define.ts';
import { oldestUnfolded } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';
import type { Statuses } from './statuses.ts';

export interface UnstoredOptions {
  stores: Readonly<Record<'main' | 'results', Pick<EventStore, 'readAll'>>>;
  statuses: Pick<Statuses, 'of' | 'receive'>;
  /** how long a position is waited for before the log is read, milliseconds; each further pause is twice as long */
  first: number;
  /** the longest pause, milliseconds */
  longest: number;
}

/** A position that a projection is known to have passed, although its stored position is before it. */
interface Passed {
  generation: number | null;
  stored: bigint;
  position: bigint;
}

/** A position that a caller waits for. */
interface Wanted {
  position: bigint;
  pause: number;
}

/**
 * Positions that read models have passed without storing them, for read models that other processes keep up to date.
 * These store a position only with documents, or after an event that the projection handles (`positionsFollowed`). If
 * the log has no such event between the stored position and another one, the read model is the same at both, and counts
 * as having passed the other one. The log is read only for a position that a caller waits for and that is not stored
 * soon.
 */
export class UnstoredPositions {
  readonly #options: UnstoredOptions;
  readonly #passed = new Map<string, Passed>();
  readonly #wanted = new Map<string, Wanted>();
  readonly #stop = new AbortController();

  constructor(options: UnstoredOptions) {
    this.#options = options;
  }

  /** The status of a read model, from its stored status and the known positions. */
  take(stored: ProjectionStatus): ProjectionStatus {
    const { name, generation, position } = stored;
    const passed = this.#passed.get(name);
    if (!passed) return stored;
    const isSame = passed.generation === generation && passed.stored <= position;
    if (!isSame || passed.position <= position) {
      this.#passed.delete(name);
      return stored;
    }
    passed.stored = position;
    return { ...stored, position: passed.position };
  }

  /** Records that a caller waits for a position, and searches for it until it is passed, for later callers too. */
  want(projection: AnyProjection, position: bigint): void {
    const { name } = projection;
    const wanted = this.#wanted.get(name);
    if (wanted && wanted.position >= position) return;
    this.#wanted.set(name, { position, pause: this.#options.first });
    if (!wanted) void this.#look(projection);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #look(projection: AnyProjection): Promise<void> {
    const { statuses, longest } = this.#options;
    const { name } = projection;
    const { signal } = this.#stop;
    for (let wanted = this.#wanted.get(name); wanted; wanted = this.#wanted.get(name)) {
      await sleep(wanted.pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      wanted.pause = Math.min(2 * wanted.pause, longest);
      // A log that is unavailable is read again.
      if (statuses.of(name).position < wanted.position)
        await this.#search(projection, wanted.position).catch(() => undefined);
      // A caller may wait for a later position by now.
      if (statuses.of(name).position >= (this.#wanted.get(name)?.position ?? 0n)) this.#wanted.delete(name);
    }
  }

  /** Whether the log shows that a position is passed. */
  async #search(projection: AnyProjection, position: bigint): Promise<void> {
    const { stores, statuses } = this.#options;
    const { name, log } = projection;
    const before = statuses.of(name);
    if (before.generation === null) return;
    // A log that does not contain the event yet, for example on a follower of a cluster, tells nothing about earlier
    // events.
    const [there] = await stores[log].readAll({ after: position, inclusive: true, limit: 1 });
    if (!there) return;
    const unfolded = await oldestUnfolded(stores[log], projection, before.position);
    if (unfolded && unfolded.position <= position) return;
    const now = statuses.of(name);
    if (now.generation !== before.generation || now.position < before.position || now.position >= position) return;
    const stored = this.#passed.get(name)?.stored ?? now.position;
    this.#passed.set(name, { generation: now.generation, stored, position });
    statuses.receive([{ ...now, position }]);
  }
}
