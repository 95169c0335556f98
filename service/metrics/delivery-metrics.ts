import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MailingTotals } from '../../domain/mailing/events.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { DeliveryObserver } from '../../reactors/context.ts';
import { inTime } from './metrics.ts';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics of deliveries. They are exposed by the process that performs deliveries. */
export const deliveryMetrics = (registry: Registry, readers: Pick<Readers, 'for'>): DeliveryObserver => {
  const registers = [registry];
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver a message, by notifier and outcome: delivered, failed (will be retried), given_up, or unavailable (the relay is out of order)',
    labelNames: ['notifier', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'delivery_duration_seconds',
    help: 'Duration of attempts to deliver a message',
    labelNames: ['notifier'],
    buckets: SECONDS,
    registers,
  });
  const delayed = new Gauge({
    name: 'delivery_targets_held_up',
    help: 'Slow or failing targets for which more than a hundred messages wait',
    registers,
  });
  const counts = async (): Promise<number[]> => {
    const read = readers.for({ appended: new Map() })(deliveries);
    return Promise.all([read.due_deliveries.count(), read.deliveries.count({ status: 'given_up' })]);
  };
  new Gauge({
    name: 'delivery_messages',
    help: 'Messages that wait for delivery or a retry, and stored messages that failed permanently',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      const [waiting, givenUp] = await inTime(counts());
      if (waiting !== undefined) this.set({ state: 'waiting' }, waiting);
      if (givenUp !== undefined) this.set({ state: 'given_up' }, givenUp);
    },
  });
  return {
    tried: (notifier, outcome, milliseconds) => {
      attempts.inc({ notifier, outcome });
      duration.observe({ notifier }, milliseconds / 1_000);
    },
    targetsBacklogged: (targets) => {
      delayed.set(targets);
    },
  };
};

/**
 * Upper bounds of the buckets, from one second to a day. The duration of a mailing ends when its last message has
 * ended.
 */
const MAILING_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/** Creates the metrics of mailings. They are exposed by the process that records the totals of mailings. */
export const mailingMetrics = (registry: Registry): ((totals: MailingTotals) => void) => {
  const registers = [registry];
  const messages = new Counter({
    name: 'mailing_messages_total',
    help: 'Messages to subscribers of pages in completed mailings, by outcome (delivered, failed)',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'mailing_duration_seconds',
    help: 'Duration of a mailing, from its first planned message to the last one delivered or failed',
    buckets: MAILING_SECONDS,
    registers,
  });
  return ({ delivered, failed, begun_at, ended_at }) => {
    messages.inc({ outcome: 'delivered' }, delivered);
    messages.inc({ outcome: 'failed' }, failed);
    duration.observe((millisecondsOf(ended_at) - millisecondsOf(begun_at)) / 1_000);
  };
};
