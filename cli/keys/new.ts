import { existsSync } from 'node:fs';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { isClusterSite, openCoordination, openKeys, siteOf, type Site } from '../../service/stores.ts';
import { endAllAccess } from '../../stores/coordination/port.ts';

/**
 * `uptrail keys new`: creates a new `keys.db` if the previous one is permanently lost. Passwords and second factors are
 * lost with the previous file, so all sessions end.
 *
 * @throws OperatorError keys exist
 */
export const makeNewKeys = async (config: Config, output: Output): Promise<void> => {
  const site = siteOf(config);
  if (isClusterSite(site)) throw new OperatorError('A cluster creates missing keys automatically.');
  if (existsSync(site.keys))
    throw new OperatorError(`${site.keys} already exists. If it is unusable, move it away first.`);
  // End the sessions first. If this fails, there are still no keys, so the command can be repeated.
  if (existsSync(site.coordination)) await endSessions(site);
  await (await openKeys(site, config, 'made')).close();
  await output.line(`${site.keys} was created. Data sealed with the old keys is unreadable.`);
  await output.line('All sessions have ended. Passwords are lost: set new ones with uptrail user reset-password.');
};

const endSessions = async (site: Site): Promise<void> => {
  const coordination = await openCoordination(site);
  try {
    await endAllAccess(coordination.entries);
  } finally {
    await coordination.close();
  }
};
