import { isFields } from '../../../domain/fields.ts';
import type { Reference } from '../../configuration/model.ts';
import type { ImportedComponentStatus } from '../imported.ts';
import { NotImportable, type HistoryClient, type Problem } from './client.ts';
import type { TargetPage } from './page.ts';

/**
 * Sets components to the statuses that they have in the other product. An open incident alone does not set them, because
 * its updates are older than the components here.
 *
 * A status that is set by hand is reported to webhooks of subscribers, and ends the holds of alerts. Therefore, no status
 * is set if the page has such webhooks, or if a check watches the component.
 *
 * @returns the number of components that were set, and sentences on those that were not
 */
export const importComponentStatuses = async (
  client: HistoryClient,
  page: TargetPage,
  statuses: readonly ImportedComponentStatus[],
  dryRun: boolean,
): Promise<{ set: number; problems: Problem[]; remarks: string[] }> => {
  const problems: Problem[] = [];
  const remarks: string[] = [];
  const differing = statuses.flatMap(({ component: reference, status }) => {
    const component = componentOrNull(page, reference);
    // A dry run takes place before the components exist.
    if (!component && !dryRun) problems.push(missing(reference));
    const isOwn = component?.['check_id'] === null && component['check_tag'] === null;
    return component && isOwn && component['status'] !== status ? [{ component, status }] : [];
  });
  if (differing.length === 0) return { set: 0, problems, remarks };
  const isNotified = await hasWebhooks(client, page);
  let set = 0;
  for (const { component, status } of differing) {
    if (isNotified) {
      const [name, here] = [component['name'], component['status']].map(String);
      remarks.push(
        `The component "${name}" is ${here} here and ${status} there. Set it yourself: the webhooks of the page will be notified.`,
      );
    } else {
      if (!dryRun) await client.write('PUT', `${page.path}/components/${component.id}`, { status });
      set += 1;
    }
  }
  return { set, problems, remarks };
};

const missing = (reference: Reference): Problem => ({
  kind: 'component',
  name: typeof reference === 'string' ? reference : `${reference.group} / ${reference.name}`,
  sentence: 'The page has no such component.',
});

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
