import type { Coordination } from '../../../stores/coordination/port.ts';
import { GenerationMissing, type Generation, type ReadStore } from '../../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { readIntactCheckpointOf } from '../generations/generations.ts';
import { readUnusedMarks, splitVersion } from '../generations/unused-marks.ts';
import { UNUSED_RETENTION_MS } from '../options.ts';

/** A read model that this release does not use: another version of a projection, or of one that no longer exists. */
export interface RetainedVersion {
  name: string;
  version: number;
  /** Log of the projection. Null if this release does not have the projection. */
  log: 'main' | 'results' | null;
  /** Number of the newest complete generation. Null if there is none. */
  generation: number | null;
  /** Stored position. */
  position: bigint;
  /** Size in bytes, of all generations. */
  size: number;
  /**
   * When the read model will be dropped unless a process uses it, in milliseconds since 1970. Null if no engine of this
   * release has noticed it yet.
   */
  retained_until: number | null;
}

export interface RetainedVersionsOptions {
  projections: readonly AnyProjection[];
  readStore: Pick<ReadStore, 'list' | 'size' | 'checkpoint'>;
  coordination: Pick<Coordination, 'catalogue' | 'readByPrefix'>;
}

/** Lists the read models of other releases, which are retained for a day so that a release can be rolled back. */
export const listRetainedVersions = async (options: RetainedVersionsOptions): Promise<RetainedVersion[]> => {
  const { projections, readStore, coordination } = options;
  const own = new Set(projections.map(projectionKey));
  const catalogue = await coordination.catalogue();
  const listed = await readStore.list();
  const versions = new Set(
    [...catalogue, ...listed].map(({ projection }) => projection).filter((key) => !own.has(key)),
  );
  if (versions.size === 0) return [];
  const marks = await readUnusedMarks(coordination);
  return Promise.all(
    [...versions].sort().map(async (key): Promise<RetainedVersion> => {
      const { name, version } = splitVersion(key);
      const live = catalogue.find(({ projection }) => projection === key)?.live ?? null;
      const checkpoint =
        live === null ? null : await readIntactCheckpointOf(readStore, { projection: key, number: live });
      const sizes = listed.filter(({ projection }) => projection === key).map((one) => sizeOf(readStore, one));
      const mark = marks.get(key);
      return {
        name,
        version,
        log: projections.find((projection) => projection.name === name)?.log ?? null,
        generation: checkpoint ? live : null,
        position: checkpoint?.position ?? 0n,
        size: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
        retained_until: mark ? mark.since + UNUSED_RETENTION_MS : null,
      };
    }),
  );
};

/** Returns the size of a generation. It might have been dropped in the meantime. */
const sizeOf = async (readStore: Pick<ReadStore, 'size'>, generation: Generation): Promise<number> => {
  try {
    return await readStore.size(generation);
  } catch (error) {
    if (error instanceof GenerationMissing) return 0;
    throw error;
  }
};
