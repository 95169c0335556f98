import { existsSync } from 'node:fs';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { isClusterSite, openCoordination, openKeys, siteOf, type Site } from '../../service/stores.ts';
import { endAccess } from '../../stores/coordination/port.ts';

/**
 * `uptrail keys new`: makes a new `keys.db` where the old one is lost for good. Passwords and second factors are lost with
 * it, so nobody stays signed in.
 *
 * @throws OperatorError there are keys already
 */
export const makeNewKeys = async (config: Config, output: Output): Promise<void> => {
  const site = siteOf(config);
  if (isClusterSite(site)) throw new OperatorError('A cluster makes keys that it does not have by itself.');
  if (existsSync(site.keys)) throw new OperatorError(`${site.keys} is there. Move it away first, if it is of no use.`);
  // First: if it can't be done, there are still no keys, and the command can be repeated.
  if (existsSync(site.coordination)) await endSessions(site);
  await (await openKeys(site, config, 'made')).close();
  await output.line(`${site.keys} is made. What was sealed before can't be read any more.`);
  await output.line('All sessions have ended. Passwords are lost: uptrail user reset-password gives new ones.');
};

const endSessions = async (site: Site): Promise<void> => {
  const coordination = await openCoordination(site);
  try {
    await endAccess(coordination.entries);
  } finally {
    await coordination.close();
  }
};
