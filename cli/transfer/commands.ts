import { join } from 'node:path';
import { millisecondsOf } from '../../domain/time.ts';
import { readLogId } from '../../projections/engine/feed/log-marks.ts';
import { retainedFrom } from '../../domain/retention.ts';
import { endAllAccess } from '../../stores/coordination/port.ts';
import { readLogIdentity } from '../../stores/event-store/identity.ts';
import { isCluster, type Config } from '../../service/config/config.ts';
import { refuseOtherService, acceptLog } from '../../service/logs/log-identity.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { isServiceRunning, openArtifacts, openCoordination, siteOf } from '../../service/stores.ts';
import {
  ARTIFACTS_FILE,
  CONTENTS_FOLDER,
  exportArtifacts,
  containsOnlyContents,
  importArtifacts,
  verifyExportedArtifacts,
} from './artifacts.ts';
import { exportLog } from './export.ts';
import { unusableFile, type LogName } from './format.ts';
import { importMain, type ImportSummary } from './import-main.ts';
import { importResults, type ImportedResults } from './import-results.ts';
import { openSource, openTarget, type DeploymentLogs } from './logs.ts';
import { showTransfer, type TransferProgress } from './progress.ts';
import { verifyFile } from './verify.ts';

export interface TransferOptions {
  folder: string;
  /** names of the logs to export or import */
  logs: readonly LogName[];
  signal: AbortSignal;
}

const fileOf = (folder: string, log: LogName): string => join(folder, `${log}.jsonl`);

/**
 * `uptrail export`: writes the logs into a folder: first the main log as `main.jsonl`, then the results log as
 * `results.jsonl` with its artifacts.
 *
 * @throws OperatorError
 */
export const runExport = async (config: Config, options: TransferOptions, output: Output): Promise<void> => {
  const { folder, logs, signal } = options;
  const source = await openSource(config);
  try {
    makeFolder(folder);
    const service = await readLogId(source.main);
    for (const log of logs) {
      const file = fileOf(folder, log);
      const { events, added, repeats } = await withProgress(log, output, (onProgress) =>
        exportLog({ log: source[log], service, file, clock: Date.now, signal, onProgress }),
      );
      const all = `${log}: ${file} is complete, with ${events} events, ${added} of them new.`;
      await output.line(repeats > 0 ? `${all} ${repeats} repeated events were left out.` : all);
    }
    if (logs.includes('results')) await exportFiles(config, { folder, service, signal }, output);
  } finally {
    await source.close();
  }
  if (isServiceRunning(siteOf(config))) {
    await output.line(
      'The files do not contain what a running service appends from now on. Stop it and export again to add the rest.',
    );
  }
};

/** Exports artifacts. They belong to results, so they are exported together with the results log. */
const exportFiles = async (
  config: Config,
  options: { folder: string; service: string; signal: AbortSignal },
  output: Output,
): Promise<void> => {
  const artifacts = await openArtifacts(siteOf(config), config);
  try {
    const { files, lost } = await exportArtifacts(artifacts, options);
    await output.line(`artifacts: ${join(options.folder, ARTIFACTS_FILE)} is complete, with ${filesOf(files)}.`);
    for (const id of lost) await output.line(`The artifact ${id} is missing or damaged. It is left out.`);
  } finally {
    await artifacts.close();
  }
};

const filesOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

const importFiles = async (
  config: Config,
  { folder, signal, main }: { folder: string; signal: AbortSignal; main: DeploymentLogs['main'] },
  output: Output,
): Promise<void> => {
  const verified = await verifyExportedArtifacts(folder, signal);
  if (!verified) return;
  if (verified.service !== (await readLogIdentity(main))) {
    throw unusableFile(join(folder, ARTIFACTS_FILE), 'contains the artifacts of another service. None were imported.');
  }
  const artifacts = await openArtifacts(siteOf(config), config);
  try {
    // Compute the start of retention from the time of the newest artifact, unless the clock shows an earlier time. So a
    // clock that is ahead does not exclude artifacts.
    const newest = verified.artifacts.at(-1)?.created_at;
    const now = newest === undefined ? Date.now() : Math.min(Date.now(), millisecondsOf(newest));
    const from = retainedFrom(now, config.resultRetentionDays);
    const added = await importArtifacts(artifacts, verified, { folder, from, signal });
    await output.line(`artifacts: the export contains ${filesOf(verified.artifacts.length)}; ${added} were new here.`);
  } finally {
    await artifacts.close();
  }
};

const makeFolder = (folder: string): void => {
  try {
    makePrivateFolder(folder, (name) =>
      name === CONTENTS_FOLDER
        ? containsOnlyContents(join(folder, name))
        : /^((main|results|keys)\.jsonl(\.imported)?|artifacts\.jsonl(\.new)?)$/.test(name),
    );
  } catch (error) {
    throw new OperatorError(`Cannot create the folder ${folder}: ${(error as Error).message}.`, { cause: error });
  }
};

/**
 * `uptrail import`: imports the files of `uptrail export`. Each file is verified completely, including its checksum,
 * before any event in it is imported.
 *
 * @throws OperatorError
 */
export const runImport = async (config: Config, options: TransferOptions, output: Output): Promise<void> => {
  const { folder, logs, signal } = options;
  const target = await openTarget(config);
  const coordination = await openCoordination(siteOf(config));
  const prefix = isCluster(config) ? config.eventStoreDbPrefix : null;
  try {
    for (const log of logs) {
      const file = await verified(fileOf(folder, log), log, signal);
      // `refuseOtherService` throws if the coordination store of the target belongs to another service.
      const service = await readLogIdentity(target.main);
      if (service === null || service === file.head.service) {
        await refuseOtherService(file.head.service, { coordination, prefix });
      }
      const imported = await withProgress(log, output, (onProgress): Promise<ImportSummary | ImportedResults> => {
        if (log === 'main') return importMain({ log: target.main, file, signal, onProgress });
        // Compute the start of retention from the time of the newest result, unless the clock shows an earlier time. So
        // a clock that is ahead does not exclude results.
        const now = Math.min(Date.now(), millisecondsOf(file.newest));
        const from = retainedFrom(now, config.resultRetentionDays);
        return importResults({ main: target.main, log: target.results, file, from, signal, onProgress });
      });
      await output.line(summaryOf(log, imported, file.events, target));
      await acceptLog(target[log], { coordination, prefix });
      if (log === 'main') await endAllAccess(coordination.entries);
    }
    if (logs.includes('results')) await importFiles(config, { folder, signal, main: target.main }, output);
  } finally {
    await coordination.close();
    await target.close();
  }
};

const verified = async (...[file, log, signal]: Parameters<typeof verifyFile>) => {
  try {
    return await verifyFile(file, log, signal);
  } catch (error) {
    if (signal.aborted) throw new OperatorError('Interrupted. Run the same command again to continue.');
    throw error;
  }
};

const summaryOf = (
  log: LogName,
  imported: ImportSummary | ImportedResults,
  inFile: number,
  { location }: DeploymentLogs,
): string => {
  const { events, added, repeats } = { repeats: 0, ...imported };
  const sentences = [`${log}: all ${events} events are in ${location}; ${added} were new.`];
  if (repeats > 0) sentences.push(`${repeats} repeated events of the file were left out.`);
  if (inFile > events + repeats) sentences.push(`${inFile - events - repeats} were past retention.`);
  return sentences.join(' ');
};

const withProgress = async <T>(
  log: LogName,
  output: Output,
  transfer: (onProgress: (progress: TransferProgress) => void) => Promise<T>,
): Promise<T> => {
  const progress = showTransfer(log, output);
  try {
    return await transfer(progress.show);
  } finally {
    progress.end();
  }
};
