import { existsSync } from 'node:fs';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { isClusterSite, openKeys, siteOf } from '../../service/stores.ts';

/**
 * `uptrail keys new`: makes a new `keys.db` where the old one is lost for good.
 *
 * @throws OperatorError there are keys already
 */
export const makeNewKeys = async (config: Config, output: Output): Promise<void> => {
  const site = siteOf(config);
  if (isClusterSite(site)) throw new OperatorError('A cluster makes keys that it does not have by itself.');
  if (existsSync(site.keys)) throw new OperatorError(`${site.keys} is there. Move it away first, if it is of no use.`);
  await (await openKeys(site, config, 'made')).close();
  await output.line(`${site.keys} is made. What was sealed before can't be read any more.`);
};
