import { setTimeout as sleep } from 'node:timers/promises';
import { organizations } from '../../projections/organizations/projection.ts';
import type { Config } from '../../service/config/config.ts';
import { isServiceRunning, siteOf } from '../../service/stores.ts';
import { openConfiguredReadModels } from '../read-models.ts';

const POLL_MS = 20;
const MAX_POLLS = 500;

/**
 * Waits until the running service has folded a new user into its read model, so that the user can sign in. Returns
 * immediately if no service is running, and after ten seconds if the service does not fold the user.
 */
export const waitUntilUserIsVisible = async (config: Config, id: string): Promise<void> => {
  if (!isServiceRunning(siteOf(config))) return;
  const { read, close } = await openConfiguredReadModels(config);
  try {
    const { users } = read(organizations);
    // If the read model is not built yet, the read fails. The user exists all the same, so the failure is not an error
    // of the command.
    const isVisible = (): Promise<boolean> => users.get(id).then(Boolean, () => false);
    for (let polls = 0; polls < MAX_POLLS && !(await isVisible()); polls++) await sleep(POLL_MS);
  } finally {
    await close();
  }
};
