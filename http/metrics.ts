import { collectDefaultMetrics, Histogram, Registry, type Gauge, type Metric } from 'prom-client';

/**
 * Interval of measuring the event loop lag, milliseconds. Each measurement wakes the process: at 10 ms, the default,
 * this was most of the cost of an idle process, and at 50 ms still a third.
 */
const LOOP_LOOK_MS = 250;

/** Statistics of the times between measurements, which include the interval itself. */
const MEASURED = ['min', 'max', 'mean', 'p50', 'p90', 'p99'];
/** Seconds. Without measurements, the minimum is the largest 63-bit number of nanoseconds. */
const NO_MEASUREMENT = 9e9;

/** Creates a registry with the metrics of the process. */
export const createRegistry = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  for (const name of MEASURED) withoutPause(registry.getSingleMetric(`nodejs_eventloop_lag_${name}_seconds`));
  return registry;
};

/** Makes a gauge show only the lag, without the interval; 0 without measurements. */
const withoutPause = (metric: Metric | undefined): void => {
  const gauge = metric as Gauge;
  const set = gauge.set.bind(gauge) as (labels: object, seconds: number) => void;
  const late = (seconds: number): number => {
    const lag = seconds - LOOP_LOOK_MS / 1_000;
    return lag > 0 && lag < NO_MEASUREMENT ? lag : 0;
  };
  gauge.set = (labels: object | number, seconds?: number) => {
    if (typeof labels === 'number') set({}, late(labels));
    else set(labels, late(seconds ?? 0));
  };
};

/** Counts a request. `route` is the declared path, never the requested one, to bound the number of labels. */
export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void;

export const observeRequests = (registry: Registry): ObserveRequest => {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to its response, by declared path',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (method, route, status, seconds) => {
    histogram.observe({ method, route, status }, seconds);
  };
};
