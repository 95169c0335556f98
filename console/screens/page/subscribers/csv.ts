import type { Schemas } from '../../../api/openapi.d.ts';
import { download } from '../../../session/download.ts';
import { plainRequest } from '../../../session/plain-request.ts';

export type SubscriberImport = Schemas['ImportedSubscribers'];

/** Maximum size of an import file in bytes (docs/reference/subscribers.md#import). */
export const MAX_BYTES = 1_048_576;

const pathOf = (page_id: string): string => `v1/pages/${encodeURIComponent(page_id)}/subscribers`;

/**
 * Imports subscribers from CSV text.
 *
 * @param skips whether the subscribers become active without a confirmation
 * @throws Failure
 */
export const importCsv = async (page_id: string, text: string, skips: boolean): Promise<SubscriberImport> => {
  const query = skips ? '?skip_confirmation_notification=true' : '';
  const answer = await plainRequest(`${pathOf(page_id)}/import${query}`, {
    method: 'POST',
    accept: 'application/json',
    body: { type: 'text/csv', text },
  });
  return (await answer.json()) as SubscriberImport;
};

/** Downloads the subscribers of a page as a file. @throws Failure */
export const exportCsv = (page_id: string): Promise<void> =>
  download(`${pathOf(page_id)}/export`, 'text/csv', 'subscribers.csv');
