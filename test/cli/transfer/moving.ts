import { join } from 'node:path';
import { exportLog } from '../../../cli/transfer/export.ts';
import type { LogName } from '../../../cli/transfer/format.ts';
import { importMain, type ImportSummary } from '../../../cli/transfer/import-main.ts';
import { importResults, type ImportedResults } from '../../../cli/transfer/import-results.ts';
import { verifyFile } from '../../../cli/transfer/verify.ts';
import { instantOf, type Instant } from '../../../domain/time.ts';
import { readLogId } from '../../../projections/engine/feed/log-marks.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { NOW } from './samples.ts';

const never = new AbortController().signal;
const unseen = (): void => undefined;

export const fileIn = (folder: string, log: LogName): string => join(folder, `${log}.jsonl`);

/** Exports a log of the service with the main log `main` into a folder. @returns the path of the file */
export const exported = async (log: EventStore, folder: string, main = log, signal = never) => {
  const file = fileIn(folder, log.name as LogName);
  await exportLog({ log, service: await readLogId(main), file, clock: () => NOW, signal, onProgress: unseen });
  return file;
};

/** Imports the main log of a folder. Fails immediately, without retries, if the store does not respond. */
export const mainImported = async (folder: string, log: EventStore, signal = never): Promise<ImportSummary> => {
  const file = await verifyFile(fileIn(folder, 'main'), 'main', never);
  return importMain({ log, file, signal, pauses: [], onProgress: unseen });
};

export interface ResultsTarget {
  main: EventStore;
  log: EventStore;
  /** results before this instant are not imported; by default all are */
  from?: Instant;
}

export const resultsImported = async (
  folder: string,
  { main, log, from = instantOf(0) }: ResultsTarget,
): Promise<ImportedResults> => {
  const file = await verifyFile(fileIn(folder, 'results'), 'results', never);
  return importResults({ main, log, file, from, signal: never, pauses: [], onProgress: unseen });
};

/**
 * Returns a log whose append number `at` (counted from 0) fails. `how` says whether the failed append stored nothing,
 * or whether it stored its events and only the response was lost.
 */
export const failingOnce = (log: EventStore, at: number, how: 'refused' | 'answer lost'): EventStore => {
  let appends = 0;
  return {
    ...log,
    append: async (...append) => {
      const fails = appends++ === at;
      if (fails && how === 'refused') throw new StoreUnavailable('The log does not answer.');
      const appended = await log.append(...append);
      if (fails) throw new StoreUnavailable('The answer was lost.');
      return appended;
    },
  };
};
