import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../stores/file-modes.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import type { Config } from '../../service/config/config.ts';
import { findLeftovers, makeDataDirectory, type DataDirectory } from '../../service/embedded/data-directory.ts';
import { flushFile, flushFolder } from '../../service/embedded/flush.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { ARTIFACT_INDEX, ARTIFACTS, copyArtifacts, describeFiles } from './artifacts.ts';
import { markRestored } from './coordination.ts';
import { refuseCluster } from './make.ts';
import { compareFiles, readManifest, type Manifest } from './manifest.ts';
import { BACKED_UP } from '../../service/embedded/finish-restore.ts';
import { finishRestore, READY, UNFINISHED, type Replacement } from '../../service/embedded/finish-restore.ts';

/**
 * `uptrail restore`: replaces a data directory that no service uses with a backup. The backup is verified, copied
 * beside the directory, verified again there, and swapped in atomically. If the restore is interrupted, the directory
 * contains either the previous data or the data of the backup (service/embedded/finish-restore.ts).
 *
 * @param replace whether to replace existing data, which is moved aside, not deleted
 * @throws OperatorError names the damaged file of the backup; the directory has data; a service is using it
 */
export const restore = async (
  config: Config,
  { folder, replace }: { folder: string; replace: boolean },
  output: Output,
): Promise<void> => {
  refuseCluster(config);
  const manifest = readManifest(folder);
  await compareFiles(folder, manifest);
  const directory = makeDataDirectory(config.dataDir);
  const release = lockOrRefuse(directory.path);
  try {
    // Finish an interrupted restore first, so that the data which it moved aside is not lost.
    for (const line of finishRestore(directory.path)) await output.line(line);
    if (holdsData(directory) && !replace) {
      throw new OperatorError(
        `${directory.path} already contains data. Use --replace to move that data aside and restore the backup.`,
      );
    }
    const restoredAt = new Date().toISOString();
    const unfinished = join(directory.path, UNFINISHED);
    mkdirSync(unfinished, { mode: 0o700 });
    for (const name of BACKED_UP) copyFileSync(join(folder, name), join(unfinished, name));
    await compareFiles(unfinished, manifest);
    await restoreArtifacts(folder, { unfinished, manifest }, output);
    const reason = `A backup of ${manifest.made_at} was restored at ${restoredAt}.`;
    await markRestored(join(unfinished, 'coordination.db'), reason);
    const replacement: Replacement = { aside: `replaced-${restoredAt.replace(/\W/g, '')}`, made_at: manifest.made_at };
    writeFileSync(join(unfinished, 'replacement.json'), JSON.stringify(replacement));
    for (const name of [...BACKED_UP, 'replacement.json']) {
      makePrivate(join(unfinished, name));
      flushFile(join(unfinished, name));
    }
    flushFolder(unfinished);
    renameSync(unfinished, join(directory.path, READY));
    flushFolder(directory.path);
    for (const line of finishRestore(directory.path)) await output.line(line);
    await adviseOnKey(config, directory, output);
  } finally {
    rmSync(join(directory.path, UNFINISHED), { recursive: true, force: true });
    release();
  }
};

/**
 * Copies the artifacts of a backup. Damaged artifact files are reported and left out, so that they do not prevent the
 * restore.
 */
const restoreArtifacts = async (
  folder: string,
  { unfinished, manifest }: { unfinished: string; manifest: Manifest },
  output: Output,
): Promise<void> => {
  if (!manifest.files.some(({ name }) => name === ARTIFACT_INDEX)) return;
  try {
    await compareFiles(folder, manifest, [ARTIFACT_INDEX]);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    await output.line(`${error.message} The artifact files are left out.`);
    return;
  }
  const to = join(unfinished, ARTIFACTS);
  const restored = await copyArtifacts(join(folder, ARTIFACTS), to, output);
  flushFile(join(unfinished, ARTIFACT_INDEX));
  flushFolder(to);
  if (restored) await output.line(`${ARTIFACTS}  ${describeFiles(restored)}`);
};

const lockOrRefuse = (path: string): (() => void) => {
  try {
    return lockService(path).release;
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new OperatorError(`A service is running on ${path}. Stop it first.`);
  }
};

const holdsData = (directory: DataDirectory): boolean =>
  findLeftovers(directory) !== null || BACKED_UP.some((name) => existsSync(join(directory.path, name)));

const adviseOnKey = async (config: Config, { secretsKey }: DataDirectory, output: Output): Promise<void> => {
  if (config.secretsKey === null && !existsSync(secretsKey)) {
    await output.line(`Copy the secrets-key file of the backed-up service to ${secretsKey}, or set SECRETS_KEY.`);
  }
  await output.line('Reactors stay halted until you run uptrail reactors resume.');
  await output.line('All sessions have ended: users have to sign in again.');
};
