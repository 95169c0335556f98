import type { DeliveryObserver } from '../../reactors/context.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { CheckMetrics } from '../metrics/metrics.ts';
import type { Tracing } from './tracing.ts';

/** Returns the category of a stream, such as `check` for `check-abc`. The rest of the name is an id. */
const categoryOf = (stream: string): string => stream.slice(0, (stream.indexOf('-') + 1 || stream.length + 1) - 1);

/** Records the appends to a log. */
export const traceAppends = (log: EventStore, { during }: Pick<Tracing, 'during'>): EventStore => ({
  ...log,
  append: (stream, events, expected) =>
    during(
      {
        name: `append ${log.name}`,
        attributes: {
          'uptrail.log': log.name,
          'uptrail.stream.category': categoryOf(stream),
          'uptrail.event.count': events.length,
          'uptrail.event.types': [...new Set(events.map(({ type }) => type))],
        },
      },
      () => log.append(stream, events, expected),
    ),
});

/** Records the runs whose results are stored. A target that is down is no failure of the run. */
export const traceRuns = (metrics: CheckMetrics, { ended }: Pick<Tracing, 'ended'>): CheckMetrics => ({
  ...metrics,
  worker: (region) => {
    const observer = metrics.worker(region);
    return {
      ...observer,
      stored: (result) => {
        observer.stored(result);
        const { type, outcome, milliseconds } = result;
        const attributes = {
          'uptrail.check.type': type,
          'uptrail.region': region.id,
          'uptrail.result.status': outcome.status,
        };
        ended({ name: `run ${type}`, attributes }, milliseconds, null);
      },
    };
  },
});

/** Records the attempts to deliver messages. */
export const traceDeliveries = (observer: DeliveryObserver, { ended }: Pick<Tracing, 'ended'>): DeliveryObserver => ({
  ...observer,
  tried: (notifier, outcome, milliseconds) => {
    observer.tried(notifier, outcome, milliseconds);
    const attributes = { 'uptrail.notifier': notifier, 'uptrail.delivery.outcome': outcome };
    ended({ name: `deliver ${notifier}`, attributes }, milliseconds, outcome === 'delivered' ? null : outcome);
  },
});
