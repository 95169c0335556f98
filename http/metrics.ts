import { collectDefaultMetrics, Histogram, Registry, type Gauge, type Metric } from 'prom-client';

/**
 * Interval in which the event loop lag is measured, in milliseconds. Each measurement wakes the process. At the default
 * interval of 10 ms, measurements caused most of the CPU time of an idle process, and at 50 ms still a third.
 */
const LOOP_LOOK_MS = 250;

/** Names of the gauges for event loop lag. Their values include the measuring interval, which has to be subtracted. */
const MEASURED = ['min', 'max', 'mean', 'p50', 'p90', 'p99'];
/**
 * Values of this number of seconds or more mean that there was no measurement. Without a measurement, the minimum is
 * reported as the largest 63-bit number of nanoseconds.
 */
const NO_MEASUREMENT = 9e9;

/** Creates a registry with the metrics of this process. */
export const createRegistry = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  for (const name of MEASURED) withoutPause(registry.getSingleMetric(`nodejs_eventloop_lag_${name}_seconds`));
  return registry;
};

/** Makes a gauge show the lag without the measuring interval. The gauge shows 0 if there was no measurement. */
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

/**
 * Records a request. `route` is the declared path and not the requested one, so that the number of label values is
 * limited.
 */
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
