import { RESULT_CATEGORIES } from '../../domain/catalogue.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandError } from '../output.ts';
import { appendBatch, createBatching, refuseInterrupted, type AppendingOptions, type Batch } from './appends.ts';
import type { ExportedEvent } from './format.ts';
import type { Imported } from './import-main.ts';
import { readPlace, writePlace, type Place } from './place.ts';
import type { TransferProgress } from './progress.ts';
import type { VerifiedFile } from './verify.ts';
import { wavesOf, type Wave } from './waves.ts';

export interface ImportResultsOptions extends Omit<AppendingOptions, 'log'> {
  /** the log `main` of the same service, which is imported before */
  main: EventStore;
  log: EventStore;
  file: VerifiedFile;
  /** results that were recorded before are left out, since they are past retention */
  from: Instant;
  onProgress: (progress: TransferProgress) => void;
}

/**
 * Imports the results log in bulk, the regions side by side, expecting any revision: workers may be storing
 * results in it already. How far it is stands in a small file beside the export; after a death at the wrong
 * moment the last wave comes again, which the store or else its readers recognize by the ids.
 *
 * @throws CommandError the main log is another one; the store does not answer; it was interrupted
 */
export const importResults = async (options: ImportResultsOptions): Promise<Imported> => {
  const { main, log, file, signal, onProgress } = options;
  await refuseOtherService(main, file);
  const place = (await readPlace(file, log)) ?? { bytes: file.from, events: 0, kept: 0, from: options.from, last: [] };
  const ownBeginning = await begin(options);

  let { events, kept, last } = place;
  const isKept = ({ stream, metadata }: ExportedEvent): boolean =>
    RESULT_CATEGORIES.includes(categoryOf(stream)) ? metadata.recorded_at >= place.from : ownBeginning;
  const before = kept;
  for await (const wave of wavesOf(file, place.bytes, isKept)) {
    refuseInterrupted(signal);
    const appended = await appendWave(wave, options);
    events += wave.covered;
    kept += wave.before.length + wave.results.length;
    if (appended.length > 0) last = appended;
    await writePlace(file, { bytes: wave.end, events, kept, from: place.from, last });
    onProgress({ log: log.name, done: BigInt(events), total: BigInt(file.events), events: kept });
  }
  return { events: kept, added: kept - before };
};

const refuseOtherService = async (main: EventStore, { file, head }: VerifiedFile): Promise<void> => {
  const [first] = await main.readAll({ after: 0n, limit: 1 });
  if (!first) throw new CommandError('The log main is empty. Please import it first: results belong to its checks.');
  const { log_id } = first.data as { log_id?: string };
  if (log_id !== head.service) {
    throw new CommandError(`${file} belongs to another service than the log main does. Nothing was imported.`);
  }
};

/**
 * Gives an empty log the identity of the exported one.
 *
 * @returns whether the log has that identity; one that was in use already keeps its own
 */
const begin = async (options: ImportResultsOptions): Promise<boolean> => {
  const { log, file } = options;
  const { first } = file;
  const [there] = await log.readAll({ after: 0n, limit: 1 });
  if (!there) await appendBatch({ stream: first.stream, events: [first] }, 'no_stream', options);
  return !there || there.id === first.id;
};

/** @returns of each stream the last event */
const appendWave = async (wave: Wave, options: ImportResultsOptions): Promise<Place['last']> => {
  const { first } = options.file;
  const before = wave.before.filter(({ id }) => id !== first.id);
  return [...(await sideBySide(before, options)), ...(await sideBySide(wave.results, options))];
};

const sideBySide = async (events: readonly ExportedEvent[], options: AppendingOptions): Promise<Place['last']> => {
  const streams = new Map<string, ExportedEvent[]>();
  for (const event of events) {
    const ofStream = streams.get(event.stream);
    if (ofStream) ofStream.push(event);
    else streams.set(event.stream, [event]);
  }
  return Promise.all([...streams].map(([stream, ofStream]) => appendStream(stream, ofStream, options)));
};

const appendStream = async (
  stream: string,
  events: readonly ExportedEvent[],
  options: AppendingOptions,
): Promise<Place['last'][number]> => {
  const batching = createBatching();
  let last = { stream, revision: '', id: '' };
  const append = async (batch: Batch | null): Promise<void> => {
    if (!batch) return;
    const revision = await appendBatch(batch, 'any', options);
    last = { stream, revision: revision.toString(), id: batch.events.at(-1)?.id ?? '' };
  };
  for (const event of events) await append(batching.add(event));
  await append(batching.rest());
  return last;
};
