import type { SharedCheckpoint } from '../../../stores/read-store/port.ts';
import type { ProjectionStatus } from './protocol.ts';
import type { WriteReport } from './write-reports.ts';

type Counts = SharedCheckpoint['written'];

interface Seen {
  status: ProjectionStatus;
  counts: Counts;
}

/**
 * Finds out which collections other processes have written, from their write counts (`SharedCheckpoint.written`). No
 * commit is missed, even if the stores are rarely read. The ids of the written documents are unknown.
 */
export class WritesElsewhere {
  readonly #seen = new Map<string, Seen>();

  /** Updates the counts of a projection. @returns null if nothing was written */
  take(status: ProjectionStatus, counts: Counts): WriteReport | null {
    const { name: projection, generation, position } = status;
    if (generation === null) {
      this.#seen.delete(projection);
      return null;
    }
    const before = this.#seen.get(projection);
    this.#seen.set(projection, { status, counts });
    const collections = before ? changesOf(before, { status, counts }) : 'unknown';
    return collections && { projection, position, collections };
  }

  /** Forgets the counts, so that the next report of each projection is `unknown`. */
  forget(): void {
    this.#seen.clear();
  }
}

const changesOf = (before: Seen, now: Seen): WriteReport['collections'] | null => {
  if (now.status.generation !== before.status.generation || now.status.position < before.status.position) {
    return 'unknown';
  }
  // Earlier releases do not store counts.
  if (!before.counts || !now.counts) {
    return !before.counts && !now.counts && now.status.position === before.status.position ? null : 'unknown';
  }
  const changed = Object.entries(now.counts).filter(([name, count]) => count !== before.counts?.[name]);
  return changed.length === 0 ? null : new Map(changed.map(([name]) => [name, 'many']));
};
