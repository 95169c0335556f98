import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import Database from '../stores/sqlite/driver.ts';
import { isCluster, type Config } from './config.ts';
import { existingDataDirectory } from './data-directory.ts';
import { CommandError, type Output } from './output.ts';
import { makeOwnFolder } from './own-folder.ts';
import { sizeOf } from './size.ts';

/** All pages at once: a copy in steps begins anew whenever somebody writes in between. */
const EVERYTHING = 0x7fffffff;

/**
 * `uptrail backup`: copies what can't be made again, while the service runs. First what remembers how
 * far reactors are, so that it is never ahead of the logs; then the logs; then the keys, so that there
 * is every key that the logs name. Read models are made from the logs, and the key that wraps the
 * others is to be kept elsewhere: neither is copied.
 *
 * @throws CommandError there is a copy in the folder already, or it can't be made; a cluster has other copies
 */
export const backup = async (config: Config, folder: string, output: Output): Promise<void> => {
  if (isCluster(config)) {
    throw new CommandError(
      'uptrail backup copies the files of one machine. In a cluster back up EventStoreDB and MongoDB, or use uptrail export and uptrail keys export.',
    );
  }
  const { events, results, coordination, keys, secretsKey } = existingDataDirectory(config.dataDir);
  const copies = [coordination, events, results, keys].map((file) => ({ file, copy: join(folder, basename(file)) }));
  const present = copies.find(({ copy }) => existsSync(copy));
  if (present) throw new CommandError(`${present.copy} is there already. Name a new folder for each copy.`);
  try {
    makeOwnFolder(folder, () => false);
    for (const { file, copy } of copies) {
      await copyDatabase(file, copy);
      await output.line(`${copy}  ${sizeOf(statSync(copy).size)}`);
    }
  } catch (error) {
    throw new CommandError(`The copy is not complete: ${(error as Error).message}.`, { cause: error });
  }
  if (config.secretsKey === null) await output.line(`Keep a copy of ${secretsKey} too, and keep it somewhere else.`);
  await output.line(`The copy in ${resolve(folder)} is complete.`);
};

/** A consistent copy by SQLite's online backup; who writes meanwhile is not held up. */
const copyDatabase = async (file: string, copy: string): Promise<void> => {
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await connection.backup(copy, { progress: () => EVERYTHING });
  } finally {
    connection.close();
  }
};
