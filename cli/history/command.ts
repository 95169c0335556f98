import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { openKeys, openLog, siteOf } from '../../service/stores.ts';
import { writeHistory, type HistoryOptions } from './history.ts';

/** `uptrail history`: shows the history of a resource in the configured deployment. @throws OperatorError */
export const runHistory = async (config: Config, options: HistoryOptions, output: Output): Promise<void> => {
  const site = siteOf(config);
  const main = await openLog(site, 'main', 'reader');
  const keys = await openKeys(site, config);
  try {
    await writeHistory(options, { main, keys }, output);
  } finally {
    await main.close();
    await keys.close();
  }
};
