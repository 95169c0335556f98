import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { appendBatch, createBatching, throwIfInterrupted, type AppendingOptions, type AppendBatch } from './appends.ts';
import type { ExportedEvent } from './format.ts';
import type { TransferProgress } from './progress.ts';
import { eventsOf, type VerifiedFile } from './verify.ts';

export interface ImportMainOptions extends Omit<AppendingOptions, 'log'> {
  /** the log with its events as they are stored; imported events keep their version */
  log: EventStore;
  file: VerifiedFile;
  onProgress: (progress: TransferProgress) => void;
}

export interface ImportSummary {
  /** number of events in the file, without those that retention excludes */
  events: number;
  /** number of events that this call added */
  added: number;
}

const PAGE = 1_000;

/**
 * Imports the main log strictly in order, one append after the other. The log must be empty, or begin with the events
 * of the file. If it begins with these events, the call continues an interrupted import, or adds the new events of an
 * extended file. Each append expects the original revision of its events, so that events of another origin cannot be
 * mixed in.
 *
 * @throws OperatorError the log contains other events; the store does not respond; the import was interrupted
 */
export const importMain = async (options: ImportMainOptions): Promise<ImportSummary> => {
  const { log, file, signal, onProgress } = options;
  const target = readTarget(log);
  const total = BigInt(file.events);
  let seen = 0;
  let added = 0;
  let following = true;

  const append = async (batch: AppendBatch | null): Promise<void> => {
    if (!batch) return;
    const [{ revision } = { revision: 0n }] = batch.events;
    await appendBatch(batch, revision === 0n ? 'no_stream' : revision - 1n, options);
    added += batch.events.length;
  };

  const batching = createBatching();
  for await (const entries of eventsOf(file)) {
    throwIfInterrupted(signal);
    for (const { event } of entries) {
      const there = following ? await target.next() : null;
      if (there) {
        if (!same(there, event)) throw otherEvents(log, seen);
      } else {
        following = false;
        await append(batching.add(event));
      }
      seen++;
    }
    onProgress({ log: log.name, done: BigInt(seen), total, events: seen });
  }
  await append(batching.rest());
  return { events: file.events, added };
};

const same = (there: RecordedEvent, event: ExportedEvent): boolean =>
  there.id === event.id && there.stream === event.stream && there.revision === event.revision;

const otherEvents = ({ name }: EventStore, seen: number): OperatorError =>
  new OperatorError(
    seen === 0
      ? `The log ${name} is not empty: it contains events of another origin, possibly only of a first start. Import into an empty log, before the service is started on it.`
      : `The log ${name} begins like the file, but differs after ${seen} events: it was used since they were imported. Nothing was changed.`,
  );

/** Returns a reader of the events that the log already contains. */
const readTarget = (log: EventStore) => {
  let page: readonly RecordedEvent[] = [];
  let index = 0;
  let after: bigint | null = null;
  return {
    next: async (): Promise<RecordedEvent | null> => {
      // An empty log need not be searched. This saves time if its server contains many other events.
      if (after === null && (await log.first()) === null) return null;
      after ??= 0n;
      if (index === page.length) {
        page = await log.readAll({ after, limit: PAGE });
        index = 0;
        after = page.at(-1)?.position ?? after;
      }
      return page[index++] ?? null;
    },
  };
};
