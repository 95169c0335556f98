import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkDatabase } from '../../stores/sqlite/check.ts';
import { NewerSchema, OlderSchema } from '../../stores/sqlite/migrate.ts';
import type { Config } from '../../service/config/config.ts';
import { existingDataDirectory } from '../../service/embedded/data-directory.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { verifyLog, type IntactLog } from '../verify-logs.ts';
import { ARTIFACT_INDEX, ARTIFACTS, describeArtifacts } from './artifacts.ts';
import { refuseCluster } from './make.ts';
import { compareFiles, readManifest } from './manifest.ts';

/**
 * `uptrail backup --verify`: verifies that a backup is undamaged and can be restored.
 *
 * @throws OperatorError names the damaged file
 */
export const verifyBackup = async (folder: string, output: Output): Promise<void> => {
  const manifest = readManifest(folder);
  await compareFiles(folder, manifest);
  for (const [name, file] of [
    ['main', 'events.db'],
    ['results', 'results.db'],
  ] as const) {
    const { log_id, position, events } = manifest.logs[name];
    const found = await wholeOr(() => verifyLog(join(folder, file), name));
    if (found.log_id !== log_id || found.position !== position) {
      throw new OperatorError(`${join(folder, file)} is not the log that was backed up.`);
    }
    await output.line(tellLog(file, { log_id, position, events }));
  }
  for (const file of ['coordination.db', 'keys.db'])
    await wholeOr(() => {
      checkDatabase(join(folder, file));
    });
  if (manifest.files.some(({ name }) => name === ARTIFACT_INDEX)) {
    await compareFiles(folder, manifest, [ARTIFACT_INDEX]);
    await tellArtifacts(join(folder, ARTIFACTS), 'Everything else in the backup is intact.', output);
  }
  await output.line(`The backup in ${resolve(folder)}, made at ${manifest.made_at}, is intact.`);
};

/**
 * `uptrail verify`: reads everything in a data directory from beginning to end. Works with or without a running
 * service.
 *
 * @throws OperatorError names the first damaged file, and what to do
 */
export const runVerify = async (config: Config, output: Output): Promise<void> => {
  refuseCluster(config);
  const { events, results, coordination, keys, readModels, artifacts } = existingDataDirectory(config.dataDir);
  await output.line(tellLog(events, await wholeOr(() => verifyLog(events, 'main'))));
  await output.line(tellLog(results, await wholeOr(() => verifyLog(results, 'results'))));
  for (const file of [coordination, keys]) {
    await wholeOr(() => {
      checkDatabase(file);
    });
    await output.line(`${file}: intact`);
  }
  const generations = existsSync(readModels) ? readdirSync(readModels).filter((name) => name.endsWith('.db')) : [];
  for (const name of generations) {
    await wholeOr(() => {
      checkDatabase(join(readModels, name));
    }, 'Rebuild it from the log with uptrail rebuild.');
  }
  await output.line(`${readModels}: ${generations.length} read models are intact`);
  await tellArtifacts(artifacts, 'Restore them from a backup, or ignore this: everything else is intact.', output);
};

/** Reports the state of the artifacts in a folder. @throws OperatorError names the damaged files */
const tellArtifacts = async (folder: string, advice: string, output: Output): Promise<void> => {
  const found = await wholeOr(() => describeArtifacts(folder));
  if (!found) return;
  if (found.lost.length > 0) throw new OperatorError([...found.lost, advice].join('\n'));
  await output.line(found.whole);
};

const tellLog = (file: string, { log_id, position, events }: IntactLog): string =>
  `${file}: ${events} events up to position ${position}, all intact (log ${log_id})`;

const wholeOr = async <T>(check: () => T | Promise<T>, advice = 'Restore it from a backup.'): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    // If the file was written by another release, it is not damaged. The error message already says what to do.
    if (error instanceof OlderSchema || error instanceof NewerSchema) throw error;
    throw new OperatorError(`${(error as Error).message} ${advice}`, { cause: error });
  }
};
