import type { Attempt } from '../../domain/delivery/state.ts';
import { deliveries, type DeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { openConfiguredReadModels } from '../read-models.ts';

const STATUSES = ['planned', 'delivered', 'given_up'] as const;
type DeliveryStatus = (typeof STATUSES)[number];

export interface DeliveriesOptions {
  /** list only deliveries with this status */
  status?: string | undefined;
  /** list only deliveries of this cause, such as `incident_update/k2j3h4g5f6d7` */
  cause?: string | undefined;
  /** list only deliveries to the receiver with this id */
  receiver?: string | undefined;
  limit: number;
  json: boolean;
}

/** `uptrail deliveries`: lists deliveries and their status, newest first. */
export const runListDeliveries = async (config: Config, options: DeliveriesOptions, output: Output): Promise<void> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    await listDeliveries(read, options, output);
  } finally {
    await close();
  }
};

/** Lists deliveries. @throws OperatorError the status does not exist */
export const listDeliveries = async (read: Read, options: DeliveriesOptions, output: Output): Promise<void> => {
  const found = await findDeliveries(read, options);
  const lines = options.json ? found.map((delivery) => JSON.stringify(delivery)) : table(HEADINGS, found.map(cellsOf));
  for (const line of lines) await output.line(line);
};

const findDeliveries = (
  read: Read,
  { status: text, cause, receiver, limit }: DeliveriesOptions,
): Promise<DeliveryDocument[]> => {
  const status = text === undefined ? undefined : statusIn(text);
  const where = {
    ...(status !== undefined && { status }),
    ...(cause !== undefined && { cause_key: cause }),
    ...(receiver !== undefined && { receiver_id: receiver }),
  };
  // Choose the sort field so that it follows the condition in an index: `updated_at` follows `status`, and `created_at`
  // follows the other fields.
  const byChange = status !== undefined && cause === undefined && receiver === undefined;
  return read(deliveries).deliveries.find({ where, sort: byChange ? { updated_at: -1 } : { created_at: -1 }, limit });
};

const statusIn = (text: string): DeliveryStatus => {
  const status = STATUSES.find((candidate) => candidate === text);
  if (status === undefined)
    throw new OperatorError(`"${text}" is not a delivery status. Use one of ${STATUSES.join(', ')}.`);
  return status;
};

const HEADINGS = ['ID', 'STATUS', 'CAUSE', 'RECEIVER', 'BY', 'TRIES', 'LAST (UTC)', 'NEXT (UTC)', 'WHY'];

const cellsOf = (delivery: DeliveryDocument): string[] => {
  const { id, status, cause_key, receiver_id, notifier, attempt_count, updated_at, due_at } = delivery;
  return [
    id,
    status,
    printable(cause_key),
    printable(receiver_id),
    notifier,
    attempt_count.toString(),
    updated_at.slice(0, 19),
    due_at?.slice(0, 19) ?? '-',
    printable(failureReasonOf(delivery)),
  ];
};

/** Returns why a delivery failed permanently, or why its most recent attempt failed. */
export const failureReasonOf = ({ given_up, attempts }: Pick<DeliveryDocument, 'given_up' | 'attempts'>): string => {
  if (given_up) return `${given_up.because}: ${given_up.error_message}`;
  const last: Attempt | undefined = attempts.at(-1);
  return last?.error_message ?? '';
};
