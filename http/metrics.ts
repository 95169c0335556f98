import { collectDefaultMetrics, Histogram, Registry, type Gauge, type Metric } from 'prom-client';

/**
 * How often the lag of the event loop is measured, milliseconds. Each measurement wakes the process: with 10 ms, the
 * default, that was most of the cost of an idle process, and with 50 ms still a third.
 */
const LOOP_LOOK_MS = 250;

/** What is computed of the times from one measurement to the next, which include the pause between them. */
const MEASURED = ['min', 'max', 'mean', 'p50', 'p90', 'p99'];
/** The least of no measurements is the largest number of 63 bits, nanoseconds. Seconds. */
const NO_MEASUREMENT = 9e9;

/** A registry with the metrics of the process itself. */
export const createRegistry = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  for (const name of MEASURED) withoutPause(registry.getSingleMetric(`nodejs_eventloop_lag_${name}_seconds`));
  return registry;
};

/** Makes a gauge show by how much measurements came late, and 0 as long as there was none. */
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

/** Counts an answered request. `route` is the declared path, never the requested one: labels must be few. */
export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void;

export const observeRequests = (registry: Registry): ObserveRequest => {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by declared path',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (method, route, status, seconds) => {
    histogram.observe({ method, route, status }, seconds);
  };
};
