import { RESULT_CATEGORIES } from '../../domain/event-types.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { Instant } from '../../domain/time.ts';
import { readLogIdentity } from '../../stores/event-store/identity.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { createRecentIds, type RecentIds } from '../../domain/recent-ids.ts';
import {
  appendBatch,
  appendOnce,
  createBatching,
  throwIfInterrupted,
  type AppendingOptions,
  type AppendBatch,
} from './appends.ts';
import type { ExportedEvent } from './format.ts';
import type { ImportSummary } from './import-main.ts';
import { readProgress, writeProgress, type ImportProgress } from './import-progress.ts';
import type { TransferProgress } from './progress.ts';
import { eventsOf, type VerifiedFile } from './verify.ts';
import { wavesOf, type Wave } from './waves.ts';

export interface ImportedResults extends ImportSummary {
  /** number of events in the file that were left out because they repeat an earlier event */
  repeats: number;
}

export interface ImportResultsOptions extends Omit<AppendingOptions, 'log'> {
  /** the log `main` of the same service, which must have been imported already */
  main: EventStore;
  log: EventStore;
  file: VerifiedFile;
  /** start of retention: results recorded before this time are left out */
  from: Instant;
  onProgress: (progress: TransferProgress) => void;
}

/**
 * Imports the results log in bulk. The results of different regions are appended concurrently and at any expected
 * revision, because workers may already be storing results in the log. A small file beside the export records the
 * progress. An interrupted import may have stored a part of its final wave. So when it is continued, events that are
 * already in the log are left out of the first wave. Events that the file itself repeats within 100,000 events are left
 * out too.
 *
 * @throws OperatorError the main log belongs to another service; the store does not respond; the import was interrupted
 */
export const importResults = async (options: ImportResultsOptions): Promise<ImportedResults> => {
  const { main, log, file, signal, onProgress } = options;
  await refuseOtherService(main, file);
  const place = (await readProgress(file, log)) ?? {
    bytes: file.from,
    events: 0,
    kept: 0,
    from: options.from,
    last: [],
  };
  const { wasEmpty, ownBeginning } = await begin(options);

  let { events, kept, repeats = 0, last } = place;
  const isWanted = ({ stream, metadata }: ExportedEvent): boolean =>
    RESULT_CATEGORIES.includes(categoryOf(stream)) ? metadata.recorded_at >= place.from : ownBeginning;
  const recent = await recentBefore(place, isWanted, options);
  const isKept = (event: ExportedEvent): boolean => {
    if (!isWanted(event)) return false;
    const isNew = recent.add(event.id);
    if (!isNew) repeats++;
    return isNew;
  };
  const before = kept;
  let mayExist = !wasEmpty;
  for await (const wave of wavesOf(file, place.bytes, isKept)) {
    throwIfInterrupted(signal);
    const appended = await appendWave(wave, mayExist, options);
    mayExist = false;
    events += wave.covered;
    kept += wave.before.length + wave.results.length;
    if (appended.length > 0) last = appended;
    await writeProgress(file, { bytes: wave.end, events, kept, repeats, from: place.from, last });
    onProgress({ log: log.name, done: BigInt(events), total: BigInt(file.events), events: kept });
  }
  return { events: kept, added: kept - before, repeats };
};

/** Returns the ids of the newest imported events that precede the recorded offset in the file. */
const recentBefore = async (
  { bytes }: ImportProgress,
  isWanted: (event: ExportedEvent) => boolean,
  { file, signal }: ImportResultsOptions,
): Promise<RecentIds> => {
  const recent = createRecentIds();
  if (bytes === file.from) return recent;
  for await (const entries of eventsOf(file)) {
    throwIfInterrupted(signal);
    for (const { event, end } of entries) {
      if (end > bytes) return recent;
      if (isWanted(event)) recent.add(event.id);
    }
  }
  return recent;
};

const refuseOtherService = async (main: EventStore, { file, head }: VerifiedFile): Promise<void> => {
  const id = await readLogIdentity(main);
  if (id === null)
    throw new OperatorError('The log main is empty. Import it first, because results belong to its checks.');
  if (id !== head.service) {
    throw new OperatorError(`${file} belongs to another service than the log main. Nothing was imported.`);
  }
};

/**
 * If the log is empty, appends the first event of the exported log, so that the log gets the identity of the exported
 * log.
 *
 * @returns `wasEmpty`: whether the log was empty; `ownBeginning`: whether the log has the identity of the exported log.
 * A log that was already in use keeps its own identity.
 */
const begin = async (options: ImportResultsOptions): Promise<{ wasEmpty: boolean; ownBeginning: boolean }> => {
  const { log, file } = options;
  const { first } = file;
  const there = await log.first();
  if (!there) await appendBatch({ stream: first.stream, events: [first] }, 'no_stream', options);
  return { wasEmpty: !there, ownBeginning: !there || there.id === first.id };
};

/**
 * Appends a wave of events.
 *
 * @param mayExist whether events of the wave may already be in the log
 * @returns the last event of each stream
 */
const appendWave = async (
  wave: Wave,
  mayExist: boolean,
  options: ImportResultsOptions,
): Promise<ImportProgress['last']> => {
  const { first } = options.file;
  const before = wave.before.filter(({ id }) => id !== first.id);
  return [...(await sideBySide(before, mayExist, options)), ...(await sideBySide(wave.results, mayExist, options))];
};

const sideBySide = async (
  events: readonly ExportedEvent[],
  mayExist: boolean,
  options: AppendingOptions,
): Promise<ImportProgress['last']> => {
  const streams = new Map<string, ExportedEvent[]>();
  for (const event of events) {
    const ofStream = streams.get(event.stream);
    if (ofStream) ofStream.push(event);
    else streams.set(event.stream, [event]);
  }
  return Promise.all([...streams].map(([stream, ofStream]) => appendStream(stream, ofStream, mayExist, options)));
};

const appendStream = async (
  stream: string,
  events: readonly ExportedEvent[],
  mayExist: boolean,
  options: AppendingOptions,
): Promise<ImportProgress['last'][number]> => {
  const batching = createBatching();
  let last = { stream, revision: '', id: '' };
  const append = async (batch: AppendBatch | null): Promise<void> => {
    if (!batch) return;
    const revision = await appendOnce(batch, mayExist, options);
    last = { stream, revision: revision.toString(), id: batch.events.at(-1)?.id ?? '' };
  };
  for (const event of events) await append(batching.add(event));
  await append(batching.rest());
  return last;
};
