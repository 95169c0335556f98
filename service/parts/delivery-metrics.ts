import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { DeliveryObserver } from '../../reactors/delivery/deliver.ts';
import { late } from './metrics.ts';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of deliveries, in the process that makes them. */
export const deliveryMetrics = (registry: Registry, readers: Pick<Readers, 'for'>): DeliveryObserver => {
  const registers = [registry];
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver a message, by notifier and outcome: delivered, failed (to be tried again), given_up, or unavailable (the relay is out of order)',
    labelNames: ['notifier', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'delivery_duration_seconds',
    help: 'How long an attempt to deliver a message took',
    labelNames: ['notifier'],
    buckets: SECONDS,
    registers,
  });
  const heldUp = new Gauge({
    name: 'delivery_targets_held_up',
    help: 'Targets that are slow or out of order, and for which more than a hundred messages wait',
    registers,
  });
  const counts = async (): Promise<number[]> => {
    const read = readers.for({ appended: new Map() })(deliveries);
    return Promise.all([read.due_deliveries.count(), read.deliveries.count({ status: 'given_up' })]);
  };
  new Gauge({
    name: 'delivery_messages',
    help: 'Messages that wait to be delivered, or to be tried again, and those that were given up and are still kept',
    labelNames: ['state'],
    registers,
    async collect() {
      // Figures that can't be read at present are left out; all others are still shown.
      this.reset();
      const [waiting, givenUp] = await Promise.race([counts(), late()]).catch(() => []);
      if (waiting !== undefined) this.set({ state: 'waiting' }, waiting);
      if (givenUp !== undefined) this.set({ state: 'given_up' }, givenUp);
    },
  });
  return {
    tried: (notifier, outcome, milliseconds) => {
      attempts.inc({ notifier, outcome });
      duration.observe({ notifier }, milliseconds / 1_000);
    },
    heldUp: (targets) => {
      heldUp.set(targets);
    },
  };
};
