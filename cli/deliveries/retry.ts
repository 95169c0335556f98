import { restartDelivery } from '../../commands/alerts/deliveries.ts';
import { IllegalState } from '../../domain/errors.ts';
import { instantOf } from '../../domain/time.ts';
import { deliveries, type DeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { COMMAND_LINE } from '../../service/command-line.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { openLog, siteOf } from '../../service/stores.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openConfiguredReadModels } from '../read-models.ts';

const PAGE = 500;

export interface RetryOptions {
  ids: readonly string[];
  /** whether to retry all deliveries that failed permanently, instead of those in `ids` */
  all: boolean;
}

/**
 * `uptrail deliveries retry`: restarts deliveries that failed permanently.
 *
 * @throws OperatorError a delivery does not exist, or has not failed permanently
 */
export const runRetryDeliveries = async (config: Config, options: RetryOptions, output: Output): Promise<void> => {
  const results = await openLog(siteOf(config), 'results', 'appender');
  try {
    const { read, close } = await openConfiguredReadModels(config);
    try {
      await retryDeliveries({ results, read }, options, output);
    } finally {
      await close();
    }
  } finally {
    await results.close();
  }
};

export const retryDeliveries = async (
  { results, read }: { results: Pick<EventStore, 'append'>; read: Read },
  { ids, all }: RetryOptions,
  output: Output,
): Promise<void> => {
  const retry = restartDelivery({ results });
  let count = 0;
  for await (const delivery of all ? allGivenUp(read) : named(read, ids)) {
    await retry(delivery, { by: COMMAND_LINE, now: instantOf(Date.now()) }).catch(asOperatorError(delivery));
    count++;
  }
  await output.line(count === 1 ? 'One delivery will be retried.' : `${count} deliveries will be retried.`);
};

/**
 * Yields all deliveries that failed permanently. Pages are selected by id, so that no delivery is skipped when other
 * deliveries leave the list.
 */
async function* allGivenUp(read: Read): AsyncGenerator<DeliveryDocument> {
  for (let after = ''; ;) {
    const where = { status: 'given_up', id: { $gt: after } };
    const page = await read(deliveries).deliveries.find({ where, sort: { id: 1 }, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Yields the deliveries with the given ids. All of them are looked up before the first one is retried. */
async function* named(read: Read, ids: readonly string[]): AsyncGenerator<DeliveryDocument> {
  const found = await read(deliveries).deliveries.getMany(ids);
  const absent = ids.find((id) => !found.some((delivery) => delivery.id === id));
  if (absent !== undefined) throw new OperatorError(`No delivery has the id "${absent}".`);
  yield* found;
}

const asOperatorError =
  ({ id }: DeliveryDocument) =>
  (error: unknown): never => {
    if (error instanceof IllegalState) throw new OperatorError(`The delivery "${id}" has not failed permanently.`);
    throw error;
  };
