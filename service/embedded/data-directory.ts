import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makePrivate } from '../../stores/file-modes.ts';
import { flush, flushFolder } from './flush.ts';
import { OperatorError } from '../operator-error.ts';

/** Paths of the files of an embedded deployment. */
export interface DataDirectory {
  path: string;
  /** file of the log `main` */
  events: string;
  /** file of the log `results` */
  results: string;
  /** folder of the read models */
  readModels: string;
  coordination: string;
  keys: string;
  /** folder of the artifacts */
  artifacts: string;
  /** socket through which commands send requests to a running service */
  socket: string;
  /** file with the admin key that the first start has generated */
  adminApiKey: string;
  /** file with the key that encrypts the keys in `keys`; not used if SECRETS_KEY is set */
  secretsKey: string;
}

const layout = (dataDir: string): DataDirectory => {
  const path = resolve(dataDir);
  return {
    path,
    events: join(path, 'events.db'),
    results: join(path, 'results.db'),
    readModels: join(path, 'read-models'),
    coordination: join(path, 'coordination.db'),
    keys: join(path, 'keys.db'),
    artifacts: join(path, 'artifacts'),
    socket: join(path, 'service.sock'),
    adminApiKey: join(path, 'admin-api-key'),
    secretsKey: join(path, 'secrets-key'),
  };
};

/**
 * Opens the data directory of a service, and creates it if it does not exist. Restricts the modes of the directory and
 * of the secrets in it to the owner. Databases set their modes themselves.
 *
 * @throws OperatorError the directory can't be created or written to
 */
export const makeDataDirectory = (dataDir: string): DataDirectory => {
  const directory = layout(dataDir);
  try {
    mkdirSync(directory.path, { recursive: true, mode: 0o700 });
    makePrivate(directory.path, directory.adminApiKey, directory.secretsKey);
    accessSync(directory.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${directory.path} is unusable: ${reasonOf(error as NodeJS.ErrnoException)}.`);
  }
  return directory;
};

/**
 * Returns the data directory of a service that was started before.
 *
 * @throws OperatorError the directory contains no data, or a restore into it was interrupted
 */
export const existingDataDirectory = (dataDir: string): DataDirectory => {
  const directory = layout(dataDir);
  if (existsSync(join(directory.path, 'restore.ready'))) {
    throw new OperatorError(
      `A restore into ${directory.path} was interrupted. Start the service, or restore again, to finish it.`,
    );
  }
  if (!existsSync(directory.events)) {
    throw new OperatorError(
      `${directory.path} contains no data of Uptrail. Set DATA_DIR to the data folder, or start the service there once.`,
    );
  }
  return directory;
};

/**
 * Returns the path of the keys or the read models of an earlier service in a directory; null if the directory has
 * neither.
 */
export const findLeftovers = ({ keys, readModels }: DataDirectory): string | null => {
  if (existsSync(keys)) return keys;
  const isThere = existsSync(readModels) && readdirSync(readModels).some((name) => name.endsWith('.db'));
  return isThere ? readModels : null;
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'this user has no write permission';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file has the same name';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return message;
  }
};

/** Reads a file that contains a secret. Returns null if the file does not exist. */
export const readSecret = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/**
 * Writes a secret to a file that only its owner may read. The write is atomic, and the file is on disk when the
 * function returns.
 */
export const writeSecret = (file: string, text: string): void => {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  // The flag `x` ensures that this call creates the file, so no other process has it open. The umask can only restrict
  // the mode further.
  const descriptor = openSync(unfinished, 'wx', 0o600);
  writeSync(descriptor, `${text}\n`);
  flush(descriptor);
  renameSync(unfinished, file);
  flushFolder(dirname(file));
};
