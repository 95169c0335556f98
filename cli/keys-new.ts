import { existsSync } from 'node:fs';
import type { Config } from './config.ts';
import { CommandError, type Output } from './output.ts';
import { isClusterSite, openKeys, siteOf } from './site.ts';

/**
 * `uptrail keys new`: makes `keys.db` anew where it is lost for good.
 *
 * @throws CommandError there are keys
 */
export const makeNewKeys = async (config: Config, output: Output): Promise<void> => {
  const site = siteOf(config);
  if (isClusterSite(site)) throw new CommandError('A cluster makes keys that it does not have by itself.');
  if (existsSync(site.keys)) throw new CommandError(`${site.keys} is there. Move it away first, if it is of no use.`);
  await (await openKeys(site, config, 'made')).close();
  await output.line(`${site.keys} is made. What was sealed before can't be read any more.`);
};
