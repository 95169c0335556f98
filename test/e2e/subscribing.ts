import { systemEvent } from '../../domain/system-event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { readConfig } from '../../service/config/config.ts';
import { openKeys, openLog, siteOf } from '../../service/stores.ts';
import { webhookAdded } from '../domain/subscriber/examples.ts';
import { placeOf } from './program.ts';

/** A webhook that subscribes. */
export interface Hook {
  id: string;
  url: string;
  /** `whsec_…` */
  secret: string;
}

/** How many targets they count as: one target gets only so many messages at once. */
const TARGETS = 100;

/**
 * Adds many webhooks to a page that have proved already that they want messages: by their events, as an import does.
 * A program that runs there sees them.
 */
export const subscribeHooks = async (
  environment: Record<string, string>,
  { page_id, organization_id }: { page_id: string; organization_id: string },
  urls: readonly string[],
): Promise<Hook[]> => {
  const config = readConfig(await placeOf(environment));
  const site = siteOf(config);
  const [main, keys] = [await openLog(site, 'main', 'appender'), await openKeys(site, config)];
  const now = instantOf(Date.now());
  // One key for all is enough here.
  const seal = (field: string, text: string) =>
    keys.seal('subscriber-of-this-test-1', text, { organizationId: organization_id, field });
  try {
    return await Promise.all(
      urls.map(async (url, index): Promise<Hook> => {
        const id = derivedId(`${page_id}/${url}`);
        const secret = `whsec_${Buffer.from(id.repeat(3)).toString('base64')}`;
        const { type, data } = webhookAdded({
          subscriber_id: id,
          page_id,
          address: await seal('address', url),
          secret: await seal('secret', secret),
          target: `target ${(index % TARGETS).toString()}`,
          verified: true,
          asks: false,
          purge_at: null,
          added_at: now,
        });
        const cause = { id: derivedUuid(`test/${id}`), by: 'test', organizationId: organization_id, now };
        await main.append(`subscriber-${id}`, [systemEvent({ type, data } as const, cause)], 'any');
        return { id, url, secret };
      }),
    );
  } finally {
    await main.close();
    await keys.close();
  }
};
