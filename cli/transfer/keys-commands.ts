import { KeysOfAnotherLog } from '../../stores/keys/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import type { Config } from '../../service/config/config.ts';
import { readSecret } from '../../service/embedded/data-directory.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { isClusterSite, openKeys, siteOf, type Site } from '../../service/stores.ts';
import { VARIABLES } from '../../service/config/variables.ts';
import { wrappingKey } from '../../service/embedded/wrapping-key.ts';
import { unusableFile } from './format.ts';
import { readKeys, writeKeys } from './keys-file.ts';

/**
 * `uptrail keys export`: writes all keys into a file. The keys in the file are wrapped by SECRETS_KEY.
 *
 * @throws OperatorError
 */
export const exportKeys = async (config: Config, file: string, output: Output): Promise<void> => {
  const site = siteOf(config);
  const keys = await openKeys(site, config);
  try {
    const ring = await keys.exportRing();
    writeKeys(file, ring, wrappingKeyOf(site, config));
    await output.line(`${file} contains ${ring.keys.size} keys. Only the SECRETS_KEY of this service can decrypt it.`);
  } finally {
    await keys.close();
  }
};

/**
 * `uptrail keys import`: imports the keys from a file, and wraps them with the SECRETS_KEY of this service.
 *
 * @param wrappedBy a file with the key that wraps the exported keys; null: the SECRETS_KEY of this service wraps them
 * @throws OperatorError
 */
export const importKeys = async (
  config: Config,
  { file, wrappedBy }: { file: string; wrappedBy: string | null },
  output: Output,
): Promise<void> => {
  const site = siteOf(config);
  const release = keepOut(site);
  try {
    const keys = await openKeys(site, config, 'made');
    try {
      const former = wrappedBy === null ? wrappingKeyOf(site, config) : keyIn(wrappedBy);
      const ring = readKeys(file, former);
      await keys.importRing(ring);
      await output.line(
        `All ${ring.keys.size} keys of ${file} are in ${isClusterSite(site) ? 'the cluster' : site.path}.`,
      );
    } catch (error) {
      if (error instanceof KeysOfAnotherLog)
        throw new OperatorError(`${error.message} No key was imported.`, { cause: error });
      throw error;
    } finally {
      await keys.close();
    }
  } finally {
    release();
  }
};

const wrappingKeyOf = (site: Site, { secretsKey }: Config): Buffer =>
  isClusterSite(site) ? site.secretsKey : wrappingKey(site, secretsKey);

const keyIn = (file: string): Buffer => {
  try {
    return VARIABLES.secretsKey.read(readSecret(file) ?? '');
  } catch (error) {
    throw unusableFile(file, (error as Error).message);
  }
};

/**
 * Prevents services from starting on the data directory. Does nothing for a cluster.
 *
 * @returns a function that allows services to start again
 */
const keepOut = (site: Site): (() => void) => {
  if (isClusterSite(site)) return () => undefined;
  try {
    return lockService(site.path).release;
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new OperatorError(`A service is running on ${site.path}. Stop it first.`);
  }
};
