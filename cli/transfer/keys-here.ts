import { OtherKeys } from '../../stores/keys/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import type { Config } from '../config.ts';
import { existingDataDirectory, readSecret } from '../data-directory.ts';
import { CommandError, type Output } from '../output.ts';
import { openKeys } from '../stores.ts';
import { VARIABLES } from '../variables.ts';
import { wrappingKey } from '../wrapping-key.ts';
import { unusable } from './format.ts';
import { readKeys, writeKeys } from './keys-file.ts';

/** `uptrail keys export`: writes all keys into a file, wrapped by SECRETS_KEY. @throws CommandError */
export const exportKeys = async (config: Config, file: string, output: Output): Promise<void> => {
  const directory = existingDataDirectory(config.dataDir);
  const keys = openKeys(directory, config);
  try {
    const ring = await keys.ring();
    writeKeys(file, ring, wrappingKey(directory, config.secretsKey));
    await output.line(`${file} holds ${ring.keys.size} keys. Only the SECRETS_KEY of this service opens it.`);
  } finally {
    await keys.close();
  }
};

/**
 * `uptrail keys import`: takes over the keys of a file, and wraps them by SECRETS_KEY of this service.
 *
 * @param wrappedBy a file with the key that wraps those in the file; null: the SECRETS_KEY of this service does
 * @throws CommandError
 */
export const importKeys = async (
  config: Config,
  { file, wrappedBy }: { file: string; wrappedBy: string | null },
  output: Output,
): Promise<void> => {
  const directory = existingDataDirectory(config.dataDir);
  const lock = lockOf(directory.path);
  try {
    const keys = openKeys(directory, config);
    try {
      const former = wrappedBy === null ? wrappingKey(directory, config.secretsKey) : keyIn(wrappedBy);
      const ring = readKeys(file, former);
      await keys.adopt(ring);
      await output.line(`All ${ring.keys.size} keys of ${file} are in ${directory.path}.`);
    } catch (error) {
      if (error instanceof OtherKeys) throw new CommandError(`${error.message} No key was imported.`, { cause: error });
      throw error;
    } finally {
      await keys.close();
    }
  } finally {
    lock.release();
  }
};

const keyIn = (file: string): Buffer => {
  try {
    return VARIABLES.secretsKey.read(readSecret(file) ?? '');
  } catch (error) {
    throw unusable(file, (error as Error).message);
  }
};

const lockOf = (path: string) => {
  try {
    return lockService(path);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(`A service is running on ${path}. Stop it first.`);
  }
};
