import { setTimeout as sleep } from 'node:timers/promises';
import type { NewEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { appendMissing } from '../../stores/event-store/append-missing.ts';
import {
  MAX_APPEND_BYTES,
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
} from '../../stores/event-store/port.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { ExportedEvent } from './format.ts';

/** Events of one stream that are stored in one append. */
export interface AppendBatch {
  stream: string;
  events: ExportedEvent[];
}

export const MAX_APPEND_EVENTS = 500;
/** Maximum size of an append in bytes. It is below the limit of a store, because stores encode events differently. */
const BYTES_AN_APPEND = MAX_APPEND_BYTES * 0.8;

/** Returns the approximate size of an event in bytes. */
export const eventSize = ({ type, data, metadata }: ExportedEvent): number =>
  Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)) + 2 * type.length;

/** Groups adjacent events of one stream into batches that each fit into one append. */
export const createBatching = () => {
  let batch: AppendBatch | null = null;
  let bytes = 0;
  return {
    /**
     * Adds an event.
     *
     * @returns the previous batch, if it is complete: the event did not fit, or belongs to another stream
     */
    add: (event: ExportedEvent): AppendBatch | null => {
      const size = eventSize(event);
      const joins =
        batch?.stream === event.stream && batch.events.length < MAX_APPEND_EVENTS && bytes + size <= BYTES_AN_APPEND;
      if (batch && joins) {
        batch.events.push(event);
        bytes += size;
        return null;
      }
      const full = batch;
      batch = { stream: event.stream, events: [event] };
      bytes = size;
      return full;
    },
    /** @returns the final, incomplete batch */
    rest: (): AppendBatch | null => {
      const left = batch;
      batch = null;
      return left;
    },
  };
};

export interface AppendingOptions {
  log: Pick<EventStore, 'name' | 'append' | 'readStream'>;
  signal: AbortSignal;
  /** pauses before each retry if the store does not respond, in milliseconds; after the last retry, the append fails */
  pauses?: readonly number[];
}

const PAUSES = [100, 200, 500, 1_000, 2_000, 5_000, 5_000, 5_000, 5_000, 5_000];

/**
 * Appends a batch, with retries. A repeated append does not store events twice, because it has the same event ids and
 * the same expected revision.
 *
 * @throws OperatorError the import was interrupted; the store does not respond; another process writes to the log
 */
export const appendBatch = async (
  { stream, events }: AppendBatch,
  expected: Exclude<ExpectedRevision, 'any'>,
  options: AppendingOptions,
): Promise<void> => {
  const { log } = options;
  await untilStored(options, async () => {
    try {
      await log.append(stream, events.map(newEvent), expected);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      throw new OperatorError(
        `${error.message} Another process wrote to the log ${log.name} during the import. The import was stopped.`,
        { cause: error },
      );
    }
  });
};

/**
 * Appends the events of a batch that are not in their stream yet. Other processes may write to the stream meanwhile.
 *
 * @param mayExist whether events of the batch may already be stored. If not, the stream is searched only after a
 * conflict, or after the store did not respond.
 * @returns the revision of the last event
 * @throws OperatorError the import was interrupted; the store does not respond
 */
export const appendOnce = async (
  { stream, events }: AppendBatch,
  mayExist: boolean,
  options: AppendingOptions,
): Promise<bigint> => {
  const { log } = options;
  const fresh = events.map(newEvent);
  const since = Math.min(...events.map(({ metadata }) => millisecondsOf(metadata.recorded_at)));
  return untilStored(options, async (tries) => {
    if (!mayExist && tries === 0) {
      try {
        return (await log.append(stream, fresh, 'any')).revision;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
    return (await appendMissing(log, stream, fresh, since)).last.revision;
  });
};

const newEvent = ({ id, type, data, metadata }: ExportedEvent): NewEvent => ({ id, type, data, metadata });

/**
 * Repeats an append until the store responds.
 *
 * @throws OperatorError the import was interrupted; the store does not respond
 */
const untilStored = async <T>(
  { signal, pauses = PAUSES }: Pick<AppendingOptions, 'signal' | 'pauses'>,
  append: (tries: number) => Promise<T>,
): Promise<T> => {
  for (let tries = 0; ; tries++) {
    throwIfInterrupted(signal);
    try {
      return await append(tries);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const pause = pauses[tries];
      if (pause === undefined) {
        throw new OperatorError(`${error.message} Run the same command again to continue.`, { cause: error });
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
};

/** @throws OperatorError */
export const throwIfInterrupted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new OperatorError('Interrupted. Run the same command again to continue.');
};
