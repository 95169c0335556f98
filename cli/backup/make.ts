import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openForWriting } from '../../stores/event-store/sqlite/schema.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import { checkDatabase } from '../../stores/sqlite/check.ts';
import { isCluster, type Config } from '../../service/config/config.ts';
import { existingDataDirectory } from '../../service/embedded/data-directory.ts';
import { flushFile, flushFolder } from '../../service/embedded/flush.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { formatSize } from '../format-size.ts';
import { verifyLog } from '../verify-logs.ts';
import { version } from '../../service/version.ts';
import { ARTIFACT_INDEX, ARTIFACTS, copyArtifacts, describeFiles } from './artifacts.ts';
import { markRestored } from './coordination.ts';
import { removeWal, copyDatabase } from './databases.ts';
import { entryOf, MANIFEST, type Manifest } from './manifest.ts';
import { BACKED_UP } from '../../service/embedded/finish-restore.ts';

/**
 * `uptrail backup`: copies everything that cannot be rebuilt, while the service is running. The order of the copies
 * matters:
 *
 * 1. The checkpoints of reactors are copied first, so that they are never ahead of the logs.
 * 2. The logs follow.
 * 3. The keys are copied after the logs, so that the copy includes every key that the logs refer to.
 * 4. The artifact files are last.
 *
 * Read models are not copied, because they are rebuilt from the logs. The key that wraps the other keys is not copied
 * either: it must be stored elsewhere. Reactors are marked as halted in the copied checkpoints, so they are halted
 * wherever the copy is used.
 *
 * The copies are made in a temporary folder and verified by reading them. The folder gets its final name when they are
 * complete and on disk, so an interrupted backup is never mistaken for a complete one.
 *
 * @throws OperatorError the folder exists; the copy fails; the deployment is a cluster
 */
export const backup = async (config: Config, folder: string, output: Output): Promise<void> => {
  refuseCluster(config);
  const { path } = existingDataDirectory(config.dataDir);
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new OperatorError(`${target} already exists. Name a new folder for each copy.`);
  }
  const unfinished = `${target}.unfinished`;
  const release = takeFolder(unfinished);
  try {
    const manifest = await copyAll(path, unfinished, output);
    writeFileSync(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    flushFile(join(unfinished, MANIFEST));
    release();
    flushFolder(unfinished);
    renameSync(unfinished, target);
    flushFolder(dirname(target));
  } catch (error) {
    release();
    rmSync(unfinished, { recursive: true, force: true });
    throw new OperatorError(`No backup was made: ${withoutStop((error as Error).message)}.`, { cause: error });
  }
  if (config.secretsKey === null) {
    await output.line(`Also keep a copy of ${join(path, 'secrets-key')}, in a different place.`);
  }
  await output.line(`The backup in ${target} is complete.`);
};

/** @throws OperatorError */
export const refuseCluster = (config: Config): void => {
  if (!isCluster(config)) return;
  throw new OperatorError(
    'Uptrail can back up only a single machine. In a cluster, back up EventStoreDB and MongoDB, or use uptrail export and uptrail keys export.',
  );
};

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/**
 * Creates a folder, locks it for this process, and removes what an interrupted backup left in the folder. Returns a
 * function that unlocks the folder.
 */
const takeFolder = (folder: string): (() => void) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { release } = lockService(folder);
    for (const name of BACKED_UP) removeDatabase(join(folder, name));
    rmSync(join(folder, ARTIFACTS), { recursive: true, force: true });
    return () => {
      release();
      removeDatabase(join(folder, 'service.lock'));
    };
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new OperatorError(`Another backup is writing to ${folder}.`);
    throw new OperatorError(`Cannot write to ${folder}: ${withoutStop((error as Error).message)}.`, { cause: error });
  }
};

const removeDatabase = (file: string): void => {
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(file + part, { force: true });
};

const copyAll = async (from: string, to: string, output: Output): Promise<Manifest> => {
  const madeAt = new Date().toISOString();
  for (const name of BACKED_UP) await copyDatabase(join(from, name), join(to, name));
  const [coordination, events, results, keys] = BACKED_UP.map((name) => join(to, name)) as [
    string,
    string,
    string,
    string,
  ];
  await markRestored(coordination, `The data was restored from a backup of ${madeAt}.`);
  // Migrate the log of an older release to the schema that this release reads.
  for (const log of [events, results]) openForWriting(log).close();
  for (const name of BACKED_UP) removeWal(join(to, name));
  for (const file of [coordination, keys]) checkDatabase(file);
  const logs = { main: await verifyLog(events, 'main'), results: await verifyLog(results, 'results') };
  const files: Manifest['files'] = [];
  for (const name of BACKED_UP) {
    flushFile(join(to, name));
    const entry = await entryOf(to, name);
    files.push(entry);
    await output.line(`${name}  ${formatSize(entry.bytes)}`);
  }
  const artifacts = await copyArtifacts(join(from, ARTIFACTS), join(to, ARTIFACTS), output);
  if (artifacts) {
    flushFile(join(to, ARTIFACT_INDEX));
    flushFolder(join(to, ARTIFACTS));
    files.push(await entryOf(to, ARTIFACT_INDEX));
    await output.line(`${ARTIFACTS}  ${describeFiles(artifacts)}`);
  }
  return { format: 1, made_at: madeAt, release: version(), files, logs };
};
