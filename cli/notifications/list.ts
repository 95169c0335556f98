import type { DeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { listLatestNotifications, notificationStatus } from '../../queries/notifications.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { failureReasonOf } from '../deliveries/list.ts';
import { openConfiguredReadModels } from '../read-models.ts';

export interface NotificationsOptions {
  /** list only failed notifications */
  failed: boolean;
  /** list only notifications of the page with this id */
  page?: string | undefined;
  /** list only notifications about the incident with this id */
  incident?: string | undefined;
  limit: number;
  json: boolean;
}

/**
 * `uptrail notifications`: lists messages of pages to their subscribers, and their status. The latest change comes
 * first.
 */
export const runListNotifications = async (
  config: Config,
  options: NotificationsOptions,
  output: Output,
): Promise<void> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    await listNotifications(read, options, output);
  } finally {
    await close();
  }
};

export const listNotifications = async (
  read: Read,
  { json, ...options }: NotificationsOptions,
  output: Output,
): Promise<void> => {
  const shown = (await listLatestNotifications({ read }, options)).map(shownOf);
  const lines = json ? shown.map((one) => JSON.stringify(one)) : table(HEADINGS, shown.map(cellsOf));
  for (const line of lines) await output.line(line);
};

const shownOf = (delivery: DeliveryDocument) => ({
  id: delivery.id,
  status: notificationStatus(delivery),
  event: delivery.event,
  mode: delivery.notifier,
  page_id: delivery.page_id,
  incident_id: delivery.incident_id,
  incident_update_id: delivery.incident_update_id,
  subscriber_id: delivery.receiver_id,
  attempts: delivery.attempt_count,
  created_at: delivery.created_at,
  updated_at: delivery.updated_at,
  due_at: delivery.due_at,
  error_message: failureReasonOf(delivery) || null,
});

const HEADINGS = ['ID', 'STATUS', 'EVENT', 'BY', 'PAGE', 'SUBSCRIBER', 'TRIES', 'LAST (UTC)', 'NEXT (UTC)', 'WHY'];

const cellsOf = (shown: ReturnType<typeof shownOf>): string[] => [
  shown.id,
  shown.status,
  printable(shown.event ?? ''),
  shown.mode,
  printable(shown.page_id ?? ''),
  printable(shown.subscriber_id),
  shown.attempts.toString(),
  shown.updated_at.slice(0, 19),
  shown.due_at?.slice(0, 19) ?? '-',
  printable(shown.error_message ?? ''),
];
