import { isFields } from '../../../domain/fields.ts';
import type { Reference } from '../../configuration/model.ts';
import type { ImportedComponentStatus } from '../imported.ts';
import { NotImportable, type HistoryClient } from './client.ts';
import type { TargetPage } from './page.ts';

/**
 * Sets components to the statuses that they have in the other product. An open incident alone does not set them, because
 * its updates are older than the components here.
 *
 * A status that is set by hand is reported to webhooks of subscribers, and ends the holds of alerts. Therefore, no status
 * is set if the page has such webhooks or if a check watches the component.
 *
 * @returns sentences on components whose statuses differ and were not set, and the number of those that were set
 */
export const importComponentStatuses = async (
  client: HistoryClient,
  page: TargetPage,
  statuses: readonly ImportedComponentStatus[],
  dryRun: boolean,
): Promise<{ set: number; problems: string[] }> => {
  const problems: string[] = [];
  const differing = statuses.flatMap(({ component: reference, status }) => {
    const component = componentOrNull(page, reference);
    // A dry run takes place before the components exist.
    if (!component && !dryRun) problems.push(`The page has no component ${JSON.stringify(reference)}.`);
    return component && component['status'] !== status ? [{ component, status }] : [];
  });
  if (differing.length === 0) return { set: 0, problems };
  const isNotified = await hasWebhooks(client, page);
  let set = 0;
  for (const { component, status } of differing) {
    const reason = isNotified
      ? 'its webhooks would be notified'
      : component['check_id'] !== null || component['check_tag'] !== null
        ? 'a check watches it'
        : null;
    if (reason === null) {
      if (!dryRun) await client.write('PUT', `${page.path}/components/${component.id}`, { status });
      set += 1;
    } else {
      const [name, here] = [component['name'], component['status']].map(String);
      problems.push(`The component "${name}" is ${here} here and ${status} there. Its status was not set: ${reason}.`);
    }
  }
  return { set, problems };
};

const componentOrNull = (page: TargetPage, reference: Reference): ReturnType<TargetPage['componentOf']> | null => {
  try {
    return page.componentOf(reference);
  } catch (error) {
    if (error instanceof NotImportable) return null;
    throw error;
  }
};

const hasWebhooks = async (client: HistoryClient, { path }: TargetPage): Promise<boolean> => {
  const list = await client.get(`${path}/subscribers?mode=webhook&page=1&page_size=1`);
  const pagination = isFields(list) ? list['pagination'] : null;
  return !isFields(pagination) || pagination['total_items'] !== 0;
};
