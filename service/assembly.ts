import type { Registry } from 'prom-client';
import { createRegistry } from '../http/metrics.ts';
import type { HealthPart } from '../http/health.ts';
import { createCommands, type Commands } from '../commands/index.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { invoiceProvider } from '../commands/payments/invoices.ts';
import type { CheckTypeName } from '../domain/check/events.ts';
import { REGIONS, type LiveRunners, type Region } from '../domain/check/regions.ts';
import type { RemoteRegions } from '../domain/runner/remote-regions.ts';
import { createTxtLookUp } from '../network/dns/txt-look-up.ts';
import { createPasswords } from '../stores/passwords/argon2.ts';
import { createChannelTests } from './http/channel-tests.ts';
import { createPings } from './http/pings.ts';
import { registeredRunners } from './http/registered-runners.ts';
import { createReceivers, createSignUps } from './http/sign-ups.ts';
import { createStatusTimes } from './http/status-times.ts';
import { createUsageSource } from './http/usage-source.ts';
import type { Foundation } from './foundation.ts';
import { checkMetrics, type CheckMetrics } from './metrics/metrics.ts';
import { isEmailOn, createConfiguredNotifiers } from './notifiers.ts';
import { needsRightClock } from './plan.ts';
import { watchReserved, type ReservedEndpoints } from './reserved-endpoints.ts';
import { followCutOff } from './remote/cut-off-regions.ts';
import { createRemote, type Remote } from './remote/remote.ts';
import type { RunLink } from './run/run-link.ts';
import { traceRuns } from './tracing/traced.ts';

/** Everything that the roles of a process have in common. */
export interface Assembly extends Foundation {
  regions: readonly Region[];
  runners: LiveRunners;
  remote: Remote;
  remoteRegions: RemoteRegions;
  reserved: ReservedEndpoints;
  notifiers: ReturnType<typeof createConfiguredNotifiers>;
  lookUpTexts: CommandDependencies['lookUpTexts'];
  payments: CommandDependencies['payments'];
  commands: Commands;
  registry: Registry;
  metrics: CheckMetrics;
  link: RunLink;
  /** functions that return the parts of this process in `/health/ready` */
  parts: (() => HealthPart)[];
}

/** Creates everything that the roles of a process have in common, such as commands, notifiers and metrics. */
export const assemble = async (foundation: Foundation, types: readonly CheckTypeName[]): Promise<Assembly> => {
  const { config, plan, logger, closing, tracing, deployment, handle, readers, credits, working, troubles } =
    foundation;
  const regions = config.regions ?? REGIONS;
  const remote = createRemote();
  const live = deployment.liveRunners(regions, types, remote);
  const runners = { ...live, registered: registeredRunners(readers) };
  const reserved = await watchReserved({ config, logger });
  closing.add('the lookup of reserved endpoints', reserved.stop);
  const notifiers = createConfiguredNotifiers(config, reserved, deployment.keys.fingerprint.bind(deployment.keys));
  closing.add('the notifiers', () => {
    for (const { close } of notifiers.values()) close?.();
  });
  const lookUpTexts = createTxtLookUp(config.dnsServers, reserved);
  const payments = config.invoiceSeller === null ? null : invoiceProvider({ handle }, config.invoiceSeller);
  const commands = commandsOf(foundation, { runners, notifiers, lookUpTexts, payments });
  const registry = createRegistry();
  const counted = checkMetrics(registry);
  const metrics = tracing ? traceRuns(counted, tracing) : counted;
  const parts: (() => HealthPart)[] = [];
  const { storeClock } = deployment;
  if (storeClock) {
    storeClock.observe(registry);
    parts.push(storeClock.part);
    if (needsRightClock(plan)) working.push(storeClock.wrong);
  }
  const link = deployment.link(readers, credits, metrics.link);
  const remoteRegions = followCutOff({
    runners: () => remote.registry?.serving() ?? null,
    presences: async () => (await runners.presences?.()) ?? [],
    trouble: (error) => {
      troubles.report('Cannot determine which remote runners are connected.', error);
    },
  });
  closing.add('the list of cut-off regions', remoteRegions.stop);
  const made = {
    regions,
    runners,
    remote,
    remoteRegions,
    reserved,
    notifiers,
    lookUpTexts,
    payments,
    commands,
    registry,
    metrics,
    link,
  };
  return { ...foundation, ...made, parts };
};

const commandsOf = (
  { config, plans, deployment, clock, handle, readers, statuses, credits }: Foundation,
  { notifiers, ...made }: Pick<Assembly, 'runners' | 'notifiers' | 'lookUpTexts' | 'payments'>,
): Commands => {
  const { main, results, keys, coordination } = deployment;
  return createCommands({
    ...made,
    handle,
    keys,
    entries: coordination.entries,
    credits,
    statusTimes: createStatusTimes(readers),
    mailDomain: config.mailFrom?.domain ?? null,
    mails: isEmailOn(config),
    receivers: createReceivers(notifiers),
    channelTests: createChannelTests(notifiers),
    signUps: createSignUps(config),
    pings: createPings(config, results, clock),
    plans,
    passwords: createPasswords(),
    // Unauthenticated visitors can cause password checks. With a concurrency of 1, these occupy at most one core.
    pagePasswords: createPasswords({ concurrency: 1 }),
    usage: createUsageSource({ readers, statuses, main, timeout: config.readYourWritesTimeoutMs }),
  });
};
