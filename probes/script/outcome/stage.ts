import { rm } from 'node:fs/promises';
import type { Outcome, OutcomeFile } from '../../engine/check-type.ts';
import { stage, stageText } from '../../staging.ts';
import type { RunRecord } from '../record.ts';
import { FULL_LOGS } from './files.ts';
import { outcomeOf, type RunSettings } from './outcome.ts';

/**
 * Stages the files that a script's outcome refers to (probes/staging.ts), and removes all other files of the record.
 *
 * @param folder the staging folder
 */
export const stagedOutcome = async (record: RunRecord, asked: RunSettings, folder: string): Promise<Outcome> => {
  const staged: OutcomeFile[] = [];
  try {
    const { outcome, files, fullLogs } = outcomeOf(record, asked);
    if (fullLogs !== null) {
      const { contentType: media_type, name, url: reference } = FULL_LOGS;
      const size = Buffer.byteLength(fullLogs);
      staged.push({ reference, role: 'log', name, media_type, staged: await stageText(folder, fullLogs), size });
    }
    for (const { path, ...file } of files) {
      // If the file is missing, the receiver reports that it could not be stored.
      const name = await stage(folder, path).catch(() => '');
      staged.push({ ...file, staged: name });
    }
    return staged.length === 0 ? outcome : { ...outcome, files: staged };
  } finally {
    await Promise.all(record.files.map(({ path }) => rm(path, { force: true }).catch(() => undefined)));
  }
};
