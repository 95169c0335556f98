import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/**
 * How often the lag of timers is measured, milliseconds: the least that `nodejs_eventloop_lag_*` show. Each measurement
 * wakes the process: with 10 ms, the default, that was most of the cost of an idle process.
 */
export const LOOP_LOOK_MS = 50;

/** A registry with the metrics of the process itself. */
export const createRegistry = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  return registry;
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
