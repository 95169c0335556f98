import type { Config } from '../config.ts';
import type { Output } from '../output.ts';
import { openKeys, openLog, siteOf } from '../site.ts';
import { history, type HistoryOptions } from './history.ts';

/** `uptrail history` on what the configuration names. @throws CommandError */
export const historyHere = async (config: Config, options: HistoryOptions, output: Output): Promise<void> => {
  const site = siteOf(config);
  const main = await openLog(site, 'main', 'reader');
  const keys = await openKeys(site, config);
  try {
    await history(options, { main, keys }, output);
  } finally {
    await main.close();
    await keys.close();
  }
};
