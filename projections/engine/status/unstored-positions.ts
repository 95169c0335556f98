import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { AnyProjection } from '../fold/define.ts';
import { oldestUnfolded } from './lag.ts';
import type { ProjectionStatus } from './protocol.ts';
import type { Statuses } from './statuses.ts';

export interface UnstoredOptions {
  stores: Readonly<Record<'main' | 'results', Pick<EventStore, 'readAll'>>>;
  statuses: Pick<Statuses, 'of' | 'receive'>;
  /** Pause before the log is read for a wanted position, in milliseconds. Each further pause is twice as long. */
  first: number;
  /** The longest pause, in milliseconds. */
  longest: number;
}

/** A position that a projection is known to have passed, although it has stored an earlier position. */
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
 * Finds positions that read models have passed without storing them. If another process keeps a read model up to date,
 * that process stores the position only together with documents, or after an event that the projection handles
 * (`positionsFollowed`). So the stored position can be too low. If the log has no handled event between the stored
 * position and a later one, the documents are the same at both positions, so the read model has passed the later
 * position. To find out, the log is read, but only if a caller waits for a position that is not stored soon.
 */
export class UnstoredPositions {
  readonly #options: UnstoredOptions;
  readonly #passed = new Map<string, Passed>();
  readonly #wanted = new Map<string, Wanted>();
  readonly #stop = new AbortController();

  constructor(options: UnstoredOptions) {
    this.#options = options;
  }

  /** Returns the status of a read model: the stored status, advanced to the known passed position. */
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

  /** Records that a caller waits for a position. Reads the log repeatedly until the position is passed. */
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
      // If the log is unavailable, it is read again after the next pause.
      if (statuses.of(name).position < wanted.position)
        await this.#search(projection, wanted.position).catch(() => undefined);
      // In the meantime, a caller might have started to wait for a later position.
      if (statuses.of(name).position >= (this.#wanted.get(name)?.position ?? 0n)) this.#wanted.delete(name);
    }
  }

  /** Reads the log, and records the position as passed if the log has no unfolded event up to it. */
  async #search(projection: AnyProjection, position: bigint): Promise<void> {
    const { stores, statuses } = this.#options;
    const { name, log } = projection;
    const before = statuses.of(name);
    if (before.generation === null) return;
    // If the log does not contain the event at the position yet, for example on a follower of a cluster, the log might
    // also lack earlier events. In this case, the search proves nothing.
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
