import { deliveries, type DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { isServiceRunning, siteOf } from '../../service/stores.ts';
import { openConfiguredReadModels } from '../read-models.ts';

const SHOWN = 20;

/** The deliveries that wait to be sent. */
export interface PendingDeliveries {
  count: number;
  /** the first of these deliveries, ordered by due time */
  first: readonly DueDeliveryDocument[];
}

/**
 * Returns the pending deliveries. Returns null if they are unknown: no service updates the read model, or the read
 * model has not been built yet.
 */
export const findPendingDeliveries = async (config: Config): Promise<PendingDeliveries | null> => {
  if (!isServiceRunning(siteOf(config))) return null;
  const { read, close } = await openConfiguredReadModels(config);
  try {
    return await pendingIn(read);
  } catch {
    return null;
  } finally {
    await close();
  }
};

const pendingIn = async (read: Read): Promise<PendingDeliveries> => {
  const { due_deliveries } = read(deliveries);
  const [count, first] = await Promise.all([
    due_deliveries.count(),
    due_deliveries.find({ sort: { due_at: 1 }, limit: SHOWN }),
  ]);
  return { count, first };
};

export const showPending = async ({ count, first }: PendingDeliveries, output: Output): Promise<void> => {
  const rows = first.map(({ id, cause, receiver_id, notifier, tries, created_at, due_at }) => [
    id,
    printable(`${cause.kind}/${cause.id}`),
    printable(receiver_id),
    notifier,
    tries.toString(),
    created_at.slice(0, 19),
    due_at.slice(0, 19),
  ]);
  const headings = ['ID', 'CAUSE', 'RECEIVER', 'BY', 'TRIES', 'PLANNED (UTC)', 'DUE (UTC)'];
  for (const line of table(headings, rows)) await output.line(line);
  if (count > first.length) await output.line(`… and ${count - first.length} more.`);
};
