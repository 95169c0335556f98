import type { Config } from '../config.ts';
import { existingDataDirectory } from '../data-directory.ts';
import type { Output } from '../output.ts';
import { openKeys, openLog } from '../stores.ts';
import { history, type HistoryOptions } from './history.ts';

/** `uptrail history` on the data directory of the configuration. @throws CommandError */
export const historyHere = async (config: Config, options: HistoryOptions, output: Output): Promise<void> => {
  const directory = existingDataDirectory(config.dataDir);
  const main = await openLog(directory, 'main', 'reader');
  const keys = openKeys(directory, config);
  try {
    await history(options, { main, keys }, output);
  } finally {
    await main.close();
    await keys.close();
  }
};
