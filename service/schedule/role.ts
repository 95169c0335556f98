import { servedRegions } from '../../commands/checks/checks.ts';
import { listReactors } from '../../reactors/engine/dead-letters.ts';
import { REACTORS } from '../../reactors/index.ts';
import type { Assembly } from '../assembly.ts';
import { firstOrganizationOf } from '../bootstrap.ts';
import { observeAlerts } from '../metrics/alert-metrics.ts';
import { deliveryMetrics, mailingMetrics } from '../metrics/delivery-metrics.ts';
import { observeEmailDomains } from '../metrics/email-domain-metrics.ts';
import { observeArtifacts, observeReactorItems } from '../metrics/metrics.ts';
import { traceDeliveries } from '../tracing/traced.ts';
import { createWebhookChallenge, emailPart, isEmailOn, smsPart } from '../notifiers.ts';
import { startReactors, type Reactors } from './reactors.ts';
import { recordOutages } from './region-outages.ts';
import { createCheckSource } from './check-source.ts';
import { startScheduling, type Scheduling } from './scheduling.ts';
import { startSignInUpkeep } from './sign-in-upkeep.ts';
import { startUpkeep } from './upkeep.ts';

/** Starts the scheduler, the reactors and the upkeep of the stores. */
export const startSchedule = async (assembly: Assembly): Promise<void> => {
  const { config, logger, closing, deployment, clock, readers, registry, commands, parts, working } = assembly;
  const { artifacts, coordination } = deployment;
  closing.add('the upkeep', startUpkeep({ coordination, artifacts, clock: clock.now, logger }));
  closing.add('the upkeep of sign-ins', startSignInUpkeep({ commands, clock: clock.now, logger }));
  await deployment.startUpkeep();
  observeArtifacts(registry, artifacts);
  const scheduling = schedulingOf(assembly);
  closing.add('the scheduler', scheduling.stop);
  parts.push(
    () => emailPart(config),
    () => smsPart(config),
  );
  const reactors = reactorsOf(assembly, scheduling.startRun);
  const read = readers.for({ appended: new Map() });
  observeReactorItems(registry, () =>
    listReactors(REACTORS, read, { coordination, now: clock.now(), serviceRuns: true }),
  );
  observeEmailDomains(registry, readers);
  observeAlerts(registry, readers);
  closing.add('the reactors', reactors.stop);
  working.push(scheduling.ended, reactors.ended);
};

const schedulingOf = (assembly: Assembly): Scheduling => {
  const { deployment, readers, statuses, remoteRegions: remote } = assembly;
  const { main, results, queue, coordination, logId } = deployment;
  return startScheduling({
    ...assembly,
    unserved: () => new Set(remote.cutOff()?.map(({ region }) => region)),
    recordOutages: () => recordOutages({ ...assembly, remote, organizationId: firstOrganizationOf(logId) }).stop,
    checks: createCheckSource(readers, statuses),
    main,
    results,
    queue,
    coordination,
  });
};

const reactorsOf = (assembly: Assembly, startRun: Scheduling['startRun']): Reactors => {
  const { config, deployment, reserved, registry, tracing, readers, notifiers, clock, commands } = assembly;
  const { main, results, keys, queue, coordination, artifacts, logId, logWatches } = deployment;
  const observer = deliveryMetrics(registry, readers);
  return startReactors({
    ...assembly,
    operatorsOrganization: firstOrganizationOf(logId),
    main,
    results,
    startRun,
    served: commands.bind(servedRegions),
    queueIsDurable: queue.isDurable,
    keys,
    askWebhook: createWebhookChallenge(config, reserved),
    notifiers,
    perSecond: config.deliveriesPerSecond,
    publicUrl: config.publicUrl,
    mails: isEmailOn(config),
    observer: tracing ? traceDeliveries(observer, tracing) : observer,
    mailingEnded: mailingMetrics(registry),
    logWatches,
    coordination,
    artifacts,
    clock: clock.now,
    onRequest: deployment.onReactorRequest,
  });
};
