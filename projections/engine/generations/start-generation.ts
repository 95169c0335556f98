import { endAllAccess, REACTORS_HALTED, type Lease } from '../../../stores/coordination/port.ts';
import {
  GenerationDamaged,
  GenerationMissing,
  type Checkpoint,
  type Generation,
} from '../../../stores/read-store/port.ts';
import { readDamageReports, withdrawDamageReport } from './damage-reports.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { Folding } from '../fold/folding.ts';
import { readCheckpointOf, liveGeneration, makeGeneration, nextGeneration, openGeneration } from './generations.ts';
import { readLogId, whyCheckpointMisfits } from '../feed/log-marks.ts';
import type { ProjectionContext } from '../options.ts';
import { readFirstShownInstant } from '../fold/retention.ts';

/** Maximum number of documents of each collection that stay in memory while a generation follows its log. */
const RECENT_DOCUMENTS = 1_000;

export interface GenerationStart {
  folding: Folding;
  /** Whether readers use the generation. If not, it must be built first. */
  serving: boolean;
}

/**
 * Chooses the generation with which the work on a projection starts: the generation that readers use, if it fits the
 * log. If it does not fit, an older backup of the log was restored. In this case, drops the generation and creates a
 * new one, which must be built. Also halts the reactors and ends all sessions, because the log might lack the ends of
 * sessions.
 */
export const startGeneration = async (
  projection: AnyProjection,
  context: ProjectionContext,
  lease: Lease,
): Promise<GenerationStart> => {
  const { store, readStore, coordination, log } = context;
  const key = projectionKey(projection);
  const live = await unlessDamaged(await liveGeneration(coordination, projection), context, lease);
  if (live && (await readCheckpointOf(readStore, live))) {
    const checkpoint = await openGeneration(readStore, live, projection, lease);
    const reason = await whyCheckpointMisfits(store, checkpoint);
    if (reason === null) {
      // Store the token of this lease, so that no earlier holder can switch readers to another generation any more.
      await coordination.switchGeneration(key, live.number, lease.token);
      return { folding: await foldingOf(projection, live, checkpoint, context), serving: true };
    }
    log('warn', `${key} does not fit its log and is being rebuilt.`, { reason });
    // Halt the reactors before the drop, so that they do not run if the process crashes in between.
    await coordination.write(REACTORS_HALTED, reason);
    if (projection.log === 'main') await endAllAccess(coordination.entries);
    await readStore.drop(live, lease);
  }
  const log_id = await readLogId(store);
  const generation = await nextGeneration(projection, { readStore, coordination, lease });
  await makeGeneration(readStore, generation, projection, lease);
  log(await buildLogLevel(store), `${key} is being built.`, { generation: generation.number });
  const empty = { log_id, position: 0n, event_id: null };
  return { folding: await foldingOf(projection, generation, empty, context), serving: false };
};

/**
 * A log with fewer events than this was just created: a first start writes the log's own events and the first
 * organization.
 */
const SHORT = 10;

/**
 * Returns the level of log lines about builds. It is `debug` for the first start, which builds every read model from
 * almost no events.
 */
export const buildLogLevel = async (store: ProjectionContext['store']): Promise<'debug' | 'info'> =>
  (await store.readAll({ after: 0n, limit: SHORT })).length < SHORT ? 'debug' : 'info';

/** Returns the generation, or drops it and returns null if it is damaged. */
const unlessDamaged = async (
  live: Generation | null,
  { readStore, coordination, log }: ProjectionContext,
  lease: Lease,
): Promise<Generation | null> => {
  if (!live) return null;
  let reason =
    (await readDamageReports(coordination)).get(live.projection) === live.number ? 'It could not be read.' : null;
  try {
    await readCheckpointOf(readStore, live);
  } catch (error) {
    if (!(error instanceof GenerationDamaged)) throw error;
    reason = error.message;
  }
  if (reason === null) return live;
  log('warn', `${live.projection} is damaged and is being rebuilt.`, { reason, generation: live.number });
  await readStore.drop(live, lease);
  await withdrawDamageReport(coordination, live.projection);
  return null;
};

/**
 * Opens a generation that a rebuild has built, to keep it up to date. After that, the rebuild cannot drop it.
 *
 * @throws Error if the generation does not exist, or does not fit the log
 */
export const openRebuilt = async (
  projection: AnyProjection,
  number: number,
  context: ProjectionContext,
  lease: Lease,
): Promise<Folding> => {
  const generation = { projection: projectionKey(projection), number };
  const { readStore } = context;
  if (!(await readCheckpointOf(readStore, generation))) throw new GenerationMissing(generation);
  const checkpoint = await openGeneration(readStore, generation, projection, lease);
  const reason = await whyCheckpointMisfits(context.store, checkpoint);
  if (reason !== null) throw new Error(reason);
  return foldingOf(projection, generation, checkpoint, context);
};

const foldingOf = async (
  projection: AnyProjection,
  generation: Generation,
  checkpoint: Checkpoint,
  { readStore, coordination, demand }: ProjectionContext,
): Promise<Folding> => {
  const folding = new Folding({
    projection,
    generation,
    readStore,
    checkpoint,
    retainedFrom: await readFirstShownInstant(projection, coordination),
    recentDocuments: RECENT_DOCUMENTS,
    setsAside: true,
    recordsWritten: () => demand.wanted,
  });
  await folding.open();
  return folding;
};
