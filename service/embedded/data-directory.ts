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
import { makePrivate } from '../../stores/private.ts';
import { flush, flushFolder } from './flush.ts';
import { OperatorError } from '../operator-error.ts';

/** Where an embedded deployment keeps everything. */
export interface DataDirectory {
  path: string;
  /** the log `main` */
  events: string;
  /** the log `results` */
  results: string;
  /** a folder */
  readModels: string;
  coordination: string;
  keys: string;
  /** a folder */
  artifacts: string;
  /** where a running service answers commands */
  socket: string;
  /** the admin key that was made at the first start */
  adminApiKey: string;
  /** wraps the keys in `keys`, where SECRETS_KEY is not set */
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
 * The data directory of a service, made where it is absent. Only its owner may read it, whatever its mode was before;
 * the same holds for the secrets in it. Databases set their own mode.
 *
 * @throws OperatorError it can't be made or written to
 */
export const makeDataDirectory = (dataDir: string): DataDirectory => {
  const directory = layout(dataDir);
  try {
    mkdirSync(directory.path, { recursive: true, mode: 0o700 });
    makePrivate(directory.path, directory.adminApiKey, directory.secretsKey);
    accessSync(directory.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${directory.path} can't be used: ${reasonOf(error as NodeJS.ErrnoException)}.`);
  }
  return directory;
};

/**
 * The data directory of a service that has been started before.
 *
 * @throws OperatorError there is none
 */
export const existingDataDirectory = (dataDir: string): DataDirectory => {
  const directory = layout(dataDir);
  if (existsSync(join(directory.path, 'restore.ready'))) {
    throw new OperatorError(
      `A restore into ${directory.path} was interrupted. Start the service, or restore again: both finish it.`,
    );
  }
  if (!existsSync(directory.events)) {
    throw new OperatorError(
      `There is no data of Uptrail in ${directory.path}. Set DATA_DIR to its folder, or start the service there once.`,
    );
  }
  return directory;
};

/** What a service left in a directory besides its logs; null when there is nothing. */
export const leftBehindIn = ({ keys, readModels }: DataDirectory): string | null => {
  if (existsSync(keys)) return keys;
  const isThere = existsSync(readModels) && readdirSync(readModels).some((name) => name.endsWith('.db'));
  return isThere ? readModels : null;
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'there is a file in its place';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return message;
  }
};

/** The text of a file that holds a secret; null when it is absent. */
export const readSecret = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/**
 * Writes a secret to a file that only its owner may read. The file is there whole or not at all, and on the disk when
 * this returns.
 */
export const writeSecret = (file: string, text: string): void => {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  // Created by this call ('x'), so nobody else holds it open; the umask can only narrow its mode.
  const descriptor = openSync(unfinished, 'wx', 0o600);
  writeSync(descriptor, `${text}\n`);
  flush(descriptor);
  renameSync(unfinished, file);
  flushFolder(dirname(file));
};
