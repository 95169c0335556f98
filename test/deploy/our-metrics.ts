import { Registry } from 'prom-client';
import { observeRequests } from '../../http/metrics.ts';
import {
  checkMetrics,
  observeArtifacts,
  observeProbes,
  observeReactorItems,
  observeReactors,
  observeState,
} from '../../service/metrics/metrics.ts';
import { deliveryMetrics, mailingMetrics } from '../../service/metrics/delivery-metrics.ts';
import { observeAlerts } from '../../service/metrics/alert-metrics.ts';
import { observeEmailDomains } from '../../service/metrics/email-domain-metrics.ts';
import { watchCutOff } from '../../service/run/cut-off-regions.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import { projections } from '../../projections/index.ts';
import { artifactLimits } from '../../service/artifact-limits.ts';
import { createMemoryArtifacts } from '../../stores/artifacts/memory.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';

/** Returns the names of the metrics in a registry. */
export const metricNames = async (registry: Registry): Promise<string[]> =>
  (await registry.getMetricsAsJSON()).map(({ name }) => name);

/** Returns all metrics of Uptrail that are in a registry, without those of Node.js. */
export const ourMetrics = (): Registry => {
  const registry = new Registry();
  checkMetrics(registry);
  observeState(registry, createStatuses(projections), openInProcessQueue());
  observeProbes(registry, { state: () => ({ ready: 1, running: 1, restarts: 0, runs: 0, trouble: null }) });
  observeReactors(registry, createMemoryCoordination());
  observeReactorItems(registry, async () => []);
  observeArtifacts(registry, createMemoryArtifacts(artifactLimits({ artifactsLimitMib: 1 })));
  deliveryMetrics(registry, { for: () => () => ({}) as never });
  mailingMetrics(registry);
  observeEmailDomains(registry, { for: () => () => ({}) as never });
  observeAlerts(registry, { for: () => () => ({}) as never });
  observeRequests(registry);
  const remote = { expected: () => new Set<string>(), cutOff: () => null };
  watchCutOff({ remote, registry, logger: { info: () => undefined, warn: () => undefined } }).stop();
  return registry;
};
