import type { Logger } from 'pino';
import { ANSWERED_WITHIN } from '../http/deadline.ts';
import type { HealthPart } from '../http/health.ts';
import { createLastUses } from '../api/last-uses.ts';
import { createKeySource, type TakeEffect } from '../api/key-source.ts';
import { createRegistry } from '../http/metrics.ts';
import { apiEndpoints } from '../api/endpoints.ts';
import { siteEndpoints } from '../site/endpoints.ts';
import { v1Routes } from '../api/v1/index.ts';
import { highestOf, type Appended } from '../commands/engine/appended.ts';
import { createFactClock } from '../commands/engine/fact-clock.ts';
import { createHandle } from '../commands/engine/handle.ts';
import { servedRegions } from '../commands/checks/checks.ts';
import { createCommands } from '../commands/index.ts';
import { invoiceProvider } from '../commands/payments/invoices.ts';
import { haltedBecause } from '../reactors/engine/checkpoint.ts';
import { listReactors } from '../reactors/engine/dead-letters.ts';
import { REGIONS } from '../domain/check/regions.ts';
import type { OrganizationEvent } from '../domain/organization/events.ts';
import { SELF_HOSTED } from '../domain/organization/plans.ts';
import { instantOf } from '../domain/time.ts';
import { untilEnd } from '../projections/engine/feed/log-end.ts';
import { createReaders } from '../projections/engine/readers.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { systemClock } from '../network/clock.ts';
import { countCredits } from '../runners/scheduler/credits.ts';
import { findScriptPrograms } from '../probes/script/programs.ts';
import { abilityHere, lackingSentence, RIGHTS, type Ability } from '../probes/tools.ts';
import { startAllProbes } from './parts/all-probes.ts';
import { scriptRights } from './parts/script-processes.ts';
import { openStaging } from '../probes/staging.ts';
import { createResultFiles } from '../runners/worker/files.ts';
import { bootstrap, firstOrganizationOf, type AdminKey } from './bootstrap.ts';
import { boundSecrets } from './parts/bound-secrets.ts';
import { anchorsPart, startAnchors } from './parts/anchors.ts';
import { createCheckSource } from './parts/check-source.ts';
import type { GivenUpHere } from './deployment.ts';
import { createClosing } from './closing.ts';
import { isCluster, type Config } from './config/config.ts';
import { createCreditSource } from './parts/credit-source.ts';
import { domainTexts } from './parts/domain-texts.ts';
import { deliveryMetrics, mailingMetrics } from './parts/delivery-metrics.ts';
import { observeAlerts } from './parts/alert-metrics.ts';
import { observeEmailDomains } from './parts/email-domain-metrics.ts';
import { openEmbedded } from './embedded/open.ts';
import { startHttp, type Surface } from './http.ts';
import { newestIn } from './parts/log-time.ts';
import { checkMetrics, observeArtifacts, observeReactorItems, observeReactors, observeState } from './parts/metrics.ts';
import { askWebhookOf, emailPart, isEmailOn, notifiersOf, smsPart } from './parts/notifiers.ts';
import { pingsOf } from './parts/pings.ts';
import { parking } from './parts/parking.ts';
import { createPasswords } from './parts/passwords.ts';
import { needsRightClock, type Plan } from './plan.ts';
import { noteReception } from './parts/reception.ts';
import { watchReserved } from './parts/reserved-endpoints.ts';
import { startReactors } from './parts/reactors.ts';
import { runsOnDemand } from './parts/runs-on-demand.ts';
import { channelTestsOf } from './parts/channel-tests.ts';
import { createUsageSource } from './parts/usage-source.ts';
import { receiversOf, signUpsOf } from './parts/sign-ups.ts';
import { startScheduling } from './parts/scheduling.ts';
import { createTroubles } from './parts/troubles.ts';
import { watchUnserved } from './parts/unserved-checks.ts';
import { startSignInUpkeep } from './parts/sign-in-upkeep.ts';
import { startUpkeep } from './parts/upkeep.ts';
import { startWorkers } from './parts/workers.ts';

/** A process of the service. */
export interface Service {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** where its data is, for a person */
  place: string;
  adminKey: AdminKey;
  /** the types of checks that run in this process, and those that can't be run */
  ability: Ability;
  /** why automatic actions are halted, in a sentence; null when they are not */
  halted: string | null;
  /** Resolves with the reason when the service can't go on; the caller then stops it. */
  failed: Promise<Error>;
  /** Takes no new requests, finishes those in flight, stores all checkpoints and closes everything. */
  stop: () => Promise<void>;
  /** The part that a stop under way is closing; null when none is. */
  closing: () => string | null;
}

/**
 * Opens everything that a process needs for its duties, and puts it together (design.md: One code base, two
 * deployments).
 *
 * @throws Error says in a sentence: the directory is in use, can't be written to, or was written by a newer release;
 *   the port is taken
 */
export const startService = async (config: Config, logger: Logger, plan: Plan): Promise<Service> => {
  const closing = createClosing((name, error) => {
    logger.error({ err: error }, `${name} could not be closed`);
  });
  try {
    return await open(config, logger, plan, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
};

const open = async (
  config: Config,
  logger: Logger,
  plan: Plan,
  closing: ReturnType<typeof createClosing>,
): Promise<Service> => {
  const { duties } = plan;
  const programs = await findScriptPrograms({ chromium: config.playwrightChromium });
  const rights = new Map([...RIGHTS, ...scriptRights(config, programs)]);
  const { types, lacking } = duties.has('run')
    ? await abilityHere(plan.types, { rights })
    : { types: plan.types, lacking: [] };
  for (const one of lacking) logger.warn(lackingSentence(one));
  if (types.length === 0) throw new Error(lacking.map(lackingSentence).join(' '));
  const troubles = createTroubles(logger, systemClock);
  closing.add('the log of troubles', troubles.stop);
  const deployment = isCluster(config)
    ? await (await import('./cluster/open.ts')).openCluster(config, plan, { logger, troubles, closing })
    : await openEmbedded(config, { logger, troubles, closing });
  const { main, results, logId, keys, artifacts, coordination, queue } = deployment;
  const { storeClock } = deployment;
  const clock = storeClock?.clock ?? systemClock;
  const facts = createFactClock(clock.now);
  for (const log of [main, results]) {
    const newest = await newestIn(log);
    if (newest !== null) facts.heard(instantOf(newest));
  }
  const handle = createHandle({ store: main, clock: facts.now, heard: facts.heard });
  const { adminKeyFile: keyFile } = deployment;
  // Only a process that answers requests needs a key.
  const appended: Appended = new Map();
  const adminKey: AdminKey = duties.has('api')
    ? await bootstrap({ handle, logId, keyFile, adminApiKey: config.adminApiKey, appended })
    : { kind: 'kept' };

  const { readStore, statuses, ended: readModelsEnded } = await deployment.startReadModels();
  const readers = createReaders({
    readStore,
    statuses,
    coordination,
    timeout: config.readYourWritesTimeoutMs,
    catchUpTimeout: CATCH_UP_WITHIN_MS,
    logs: { main, results },
  });
  const regions = config.regions ?? REGIONS;
  const runners = deployment.liveRunners(regions, types);
  const plans = config.plans ?? SELF_HOSTED;
  const credits = countCredits({
    source: createCreditSource(readers, statuses),
    plans,
    log: main,
    clock,
    trouble: (error) => {
      troubles.tell("Credits can't be looked up at present.", error);
    },
  });
  closing.add('the tally of credits', credits.stop);
  await credits.tried;
  const reserved = await watchReserved({ config, logger });
  closing.add('the watch for what is reserved for this service', reserved.stop);
  const texts = domainTexts(config, reserved);
  const notifiers = notifiersOf(config, reserved, keys.fingerprint.bind(keys));
  closing.add('the notifiers', () => {
    for (const { close } of notifiers.values()) close?.();
  });
  const payments = config.invoiceSeller === null ? null : invoiceProvider({ handle }, config.invoiceSeller);
  const commands = createCommands({
    handle,
    keys,
    entries: coordination.entries,
    runners,
    credits,
    lookUpTexts: texts,
    mailDomain: config.mailFrom?.domain ?? null,
    mails: isEmailOn(config),
    receivers: receiversOf(notifiers),
    channelTests: channelTestsOf(notifiers),
    signUps: signUpsOf(config),
    pings: pingsOf(config, results, clock),
    plans,
    passwords: createPasswords(),
    // Anybody may have these compared, so they get one core at most.
    pagePasswords: createPasswords({ atOnce: 1 }),
    usage: createUsageSource({ readers, statuses, main, timeout: config.readYourWritesTimeoutMs }),
    payments,
  });
  const registry = createRegistry();
  const metrics = checkMetrics(registry);
  const link = deployment.link(readers, credits, metrics.link);
  const parts: (() => HealthPart)[] = [];
  const working: Promise<unknown>[] = [readModelsEnded, credits.ended];
  if (storeClock) {
    storeClock.observe(registry);
    parts.push(storeClock.part);
    if (needsRightClock(plan)) working.push(storeClock.wrong);
  }

  if (duties.has('run')) {
    const ownRegions = plan.regions ?? regions;
    const { runnerIdentity: identity } = deployment;
    const staging = await openStaging(systemClock);
    closing.add('the files of runs', staging.close);
    const { probes, ...all } = await startAllProbes({
      config,
      plan,
      types,
      lacking,
      programs,
      reserved,
      staging,
      registry,
      logger,
    });
    closing.add('the probe processes', all.stop);
    parts.push(...all.parts);
    const anchors = startAnchors({ config, clock, logger });
    if (anchors) {
      closing.add('the anchors', anchors.stop);
      parts.push(() => anchorsPart(anchors));
    }
    const onDemand = runsOnDemand({ handle, readers, clock: clock.now, logger });
    const options = {
      config,
      identity,
      regions: ownRegions,
      probes,
      queue,
      results,
      keys,
      files: createResultFiles({
        artifacts,
        staging,
        clock,
        trouble: (error) => {
          troubles.tell("Files of runs can't be stored at present.", error);
        },
      }),
      secretsOf: boundSecrets({ readers, handle }),
      link,
      runners,
      onDemand,
      anchors,
      endedProcesses: parking({ handle, clock: facts.now, logger }),
      clock,
      metrics,
      logger,
    };
    closing.add('the workers', startWorkers(options));
    deployment.announce(ownRegions, types);
  }
  if (duties.has('schedule')) {
    closing.add('the upkeep', startUpkeep({ coordination, artifacts, clock: clock.now, logger }));
    closing.add('the upkeep of sign-ins', startSignInUpkeep({ commands, clock: clock.now, logger }));
    await deployment.startUpkeep();
    observeArtifacts(registry, artifacts);
    const checks = createCheckSource(readers, statuses);
    const options = {
      regions,
      checks,
      main,
      results,
      queue,
      coordination,
      link,
      credits,
      clock,
      metrics,
      troubles,
      logger,
    };
    const scheduling = startScheduling(options);
    closing.add('the scheduler', scheduling.stop);
    const { startRun } = scheduling;
    parts.push(
      () => emailPart(config),
      () => smsPart(config),
    );
    const reactors = startReactors({
      handle,
      plans,
      operatorsOrganization: firstOrganizationOf(logId),
      main,
      results,
      startRun,
      queueIsDurable: queue.isDurable,
      telling: {
        keys,
        askWebhook: askWebhookOf(config, reserved),
        notifiers,
        perSecond: config.deliveriesPerSecond,
        publicUrl: config.publicUrl,
        mails: isEmailOn(config),
        observer: deliveryMetrics(registry, readers),
        mailed: mailingMetrics(registry),
      },
      lookUpTexts: texts,
      readers,
      statuses,
      logWatches: deployment.logWatches,
      coordination,
      artifacts,
      payments,
      clock: clock.now,
      asked: deployment.onReactorsAsked,
      troubles,
      logger,
    });
    observeReactorItems(registry, () =>
      listReactors(reactors.all, { coordination, now: clock.now(), serviceRuns: true }),
    );
    observeEmailDomains(registry, readers);
    observeAlerts(registry, readers);
    closing.add('the reactors', reactors.stop);
    working.push(scheduling.ended, reactors.ended);
  }
  if (duties.has('api')) {
    const noting = {
      coordination,
      clock: clock.now,
      trouble: (error: unknown) => {
        troubles.tell('It can not be noted at present that pings are received.', error);
      },
    };
    closing.add('the note that pings are received', await noteReception(noting));
  }
  observeState(registry, statuses, queue);
  observeReactors(registry, coordination);
  if (duties.has('api') || duties.has('schedule')) {
    const served = commands.ask(servedRegions);
    const unserved = watchUnserved({ readers, served, clock: clock.now, registry, logger });
    closing.add('the watch for checks without a runner', unserved.stop);
    parts.push(unserved.part);
  }

  const logs = [main, results];
  const routes = duties.has('api') ? v1Routes : [];
  const surfaces: Surface[] = [(parts) => apiEndpoints(routes, parts), ...(duties.has('api') ? [siteEndpoints] : [])];
  // Others must wait for it until it answers requests.
  let takeEffect: TakeEffect = () => 0n;
  const told = duties.has('api') ? await deployment.followGivenUp((position) => takeEffect(position)) : NOBODY_TOLD;
  const made = highestOf(appended, main.name);
  const keySource = createKeySource({
    read: readers.asFolded,
    createdAfter: (position) => organizationsAfter(main, position),
    statuses,
    load: handle.load,
    from: told.from > made ? told.from : made,
    isTold: told.isTold,
  });
  takeEffect = keySource.takeEffect;
  const lastUses = createLastUses({
    entries: coordination.entries,
    clock: clock.now,
    trouble: (error) => {
      troubles.tell("The last uses of API keys can't be stored at present.", error);
    },
  });
  closing.add('the last uses of API keys', lastUses.stop);
  const serving = {
    config,
    surfaces,
    logs,
    keys,
    artifacts,
    keySource,
    lastUses,
    announceGivenUp: told.announce,
    coordination,
    commands,
    readers,
    statuses,
    registry,
    logger,
    clock: facts.now,
    wallClock: clock.now,
    parts: () => parts.map((part) => part()),
  };
  const http = await startHttp(serving);
  closing.add('the HTTP server', http.stop);
  reserved.listening(http.listening);

  return {
    address: http.address,
    place: deployment.place,
    adminKey,
    ability: { types: duties.has('run') ? [...types] : [], lacking },
    halted: await haltedBecause(coordination),
    failed: Promise.race(working.map(failureOf)),
    stop: closing.close,
    closing: closing.current,
  };
};

/** How long a read waits for a read model: the answer still comes in time, and names the read model. */
const CATCH_UP_WITHIN_MS = ANSWERED_WITHIN - 500;

/** The organizations that were created after a position of the log `main`. */
const organizationsAfter = async (main: EventStore, position: bigint): Promise<string[]> => {
  const found: string[] = [];
  for await (const events of untilEnd(main, position, ['organization'])) {
    for (const event of events as readonly OrganizationEvent[]) {
      if (event.type === 'OrganizationCreated') found.push(event.data.organization_id);
    }
  }
  return found;
};

/** A process that answers no requests neither hears nor tells of what was taken from callers. */
const NOBODY_TOLD: GivenUpHere = { announce: async () => undefined, isTold: () => true, from: 0n };

/** Resolves with what a promise rejects with; never resolves when it does not. */
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  new Promise((resolve) => {
    promise.catch((error: unknown) => {
      resolve(error instanceof Error ? error : new Error(String(error)));
    });
  });
