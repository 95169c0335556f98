import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkDatabase } from '../../stores/sqlite/check.ts';
import { NewerSchema, OlderSchema } from '../../stores/sqlite/migrate.ts';
import type { Config } from '../../service/config/config.ts';
import { existingDataDirectory } from '../../service/embedded/data-directory.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { verifyLog, type WholeLog } from '../verify-logs.ts';
import { ARTIFACT_INDEX, ARTIFACTS, verifyArtifacts } from './artifacts.ts';
import { refuseCluster } from './make.ts';
import { compareFiles, readManifest } from './manifest.ts';

/**
 * `uptrail backup --verify`: checks whether a backup is as it was written, and whether it can be restored.
 *
 * @throws OperatorError names the file that is not
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
      throw new OperatorError(`${join(folder, file)} is not the log that the backup was made of.`);
    }
    await output.line(tellLog(file, { log_id, position, events }));
  }
  for (const file of ['coordination.db', 'keys.db'])
    await wholeOr(() => {
      checkDatabase(join(folder, file));
    });
  if (manifest.files.some(({ name }) => name === ARTIFACT_INDEX)) {
    await compareFiles(folder, manifest, [ARTIFACT_INDEX]);
    await tellArtifacts(join(folder, ARTIFACTS), 'Everything else of the backup is whole.', output);
  }
  await output.line(`The backup in ${resolve(folder)}, of ${manifest.made_at}, is whole.`);
};

/**
 * `uptrail verify`: reads everything in a data directory from beginning to end; the service may run.
 *
 * @throws OperatorError names the first file that is damaged, and what to do
 */
export const verifyHere = async (config: Config, output: Output): Promise<void> => {
  refuseCluster(config);
  const { events, results, coordination, keys, readModels, artifacts } = existingDataDirectory(config.dataDir);
  await output.line(tellLog(events, await wholeOr(() => verifyLog(events, 'main'))));
  await output.line(tellLog(results, await wholeOr(() => verifyLog(results, 'results'))));
  for (const file of [coordination, keys]) {
    await wholeOr(() => {
      checkDatabase(file);
    });
    await output.line(`${file}: whole`);
  }
  const generations = existsSync(readModels) ? readdirSync(readModels).filter((name) => name.endsWith('.db')) : [];
  for (const name of generations) {
    await wholeOr(() => {
      checkDatabase(join(readModels, name));
    }, 'It is made from the log: uptrail rebuild makes it anew.');
  }
  await output.line(`${readModels}: ${generations.length} read models are whole`);
  await tellArtifacts(artifacts, 'Restore them from a backup, or let them be: everything else is whole.', output);
};

/** @throws OperatorError names the files that are not whole */
const tellArtifacts = async (folder: string, advice: string, output: Output): Promise<void> => {
  const found = await wholeOr(() => verifyArtifacts(folder));
  if (!found) return;
  if (found.lost.length > 0) throw new OperatorError([...found.lost, advice].join('\n'));
  await output.line(found.whole);
};

const tellLog = (file: string, { log_id, position, events }: WholeLog): string =>
  `${file}: ${events} events up to position ${position}, all whole (log ${log_id})`;

const wholeOr = async <T>(check: () => T | Promise<T>, advice = 'Restore it from a backup.'): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    // A file of another release is not damaged, and its error says what to do.
    if (error instanceof OlderSchema || error instanceof NewerSchema) throw error;
    throw new OperatorError(`${(error as Error).message} ${advice}`, { cause: error });
  }
};
