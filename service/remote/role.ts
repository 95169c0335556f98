import type { RunnerSource } from '../../api/runner-source.ts';
import { regionsOf } from '../../domain/check/regions.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { Endpoint } from '../../http/app.ts';
import { createMinuteLimit, createRefusalLimit } from '../../http/rate-limit.ts';
import { openStaging, type Staging } from '../../probes/staging.ts';
import { checks } from '../../projections/checks/projection.ts';
import { findCheckOfAny, findRunningChecks } from '../../queries/checks/all-checks.ts';
import type { Assembly } from '../assembly.ts';
import { isStoredResult } from '../run/stored-result.ts';
import { createLocalWorkers } from '../run/local-workers.ts';
import { version } from '../version.ts';
import { followChangedChecks } from './changed-checks.ts';
import { createConnectionRecorder } from './record-connections.ts';
import { remoteEndpoints } from './endpoints.ts';
import { createHub, type Hub } from './hub.ts';
import { followRegistry, type RunnerRegistry } from './registry.ts';
import { takeReport } from './reports.ts';
import { createStagedFiles } from './staged-files.ts';
import { createUnawaitedResults, type UnawaitedResultsOptions } from './unawaited-results.ts';
import { createTickets } from './tickets.ts';

/**
 * Maximum number of sessions per token and minute. With this number, even the maximum number of processes per token can
 * connect and reconnect.
 */
const SESSIONS_PER_MINUTE = 120;

/** Follows the remote runners. Used in processes that run checks or serve the API. */
export const followRunners = (assembly: Assembly): RunnerRegistry => {
  const { deployment, readers, statuses, clock, troubles, closing, remote } = assembly;
  const registry = followRegistry({
    main: deployment.main,
    readers,
    statuses,
    clock,
    trouble: (error) => {
      troubles.report('Cannot follow the remote runners.', error);
    },
  });
  closing.add('the list of remote runners', registry.stop);
  remote.registry = registry;
  return registry;
};

/**
 * Lets remote runners connect to this process.
 *
 * @returns the endpoints for their requests
 */
export const serveRunners = (
  assembly: Assembly,
  registry: RunnerRegistry,
  source: RunnerSource,
): readonly Endpoint[] => {
  const { config, closing, deployment, clock, remote } = assembly;
  const { keys, queue, logWatches } = deployment;
  const staging = stagingOf(assembly);
  const workers = createLocalWorkers(assembly, {
    read: async function* (file) {
      yield* (await staging()).read(file);
    },
    discard: async (left) => {
      if (left.length > 0) await (await staging()).discard(left);
    },
  });
  closing.add('the trouble log of remote runs', workers.stop);
  const announcement = deployment.announceRemote(remote.presences);
  closing.add('the announcement of remote runners', announcement.stop);
  const note = createConnectionRecorder(assembly);
  const following = followResults(() => remote.hub, logWatches?.results ?? null);
  const forgetting = forgetChanged(assembly);
  const tickets = createTickets(keys);

  const hub = createHub({
    tickets,
    clock,
    isOneOfSeveral: logWatches !== null,
    work: (session) =>
      workers.begin({
        region: session.region,
        probes: session.probes,
        queue: session.tracking(queue),
        server: session.server,
        // A remote runner checks its own anchors, so the service does not.
        anchors: null,
        concurrency: session.hello.capacity,
      }),
    connected: (session) => {
      announcement.now();
      following.begin();
      forgetting.begin();
      note.connected(session);
    },
    disconnected: (session, why) => {
      announcement.now();
      note.disconnected(session, why);
    },
  });
  remote.hub = hub;
  const checkTokens = (): void => {
    // If a token currently can't be looked up, the next report of the runner is rejected instead.
    void hub.checkTokens(async (hash) => (await source.find(hash)) !== null).catch(() => undefined);
  };
  source.onRevocation(checkTokens);
  registry.onChange((revoked) => {
    if (revoked !== null) checkTokens();
  });
  closing.add('the connections of remote runners', async () => {
    following.end();
    forgetting.end();
    await hub.stop();
  });

  const strays = createUnawaitedResults({ results: workers.stored, clock, rejectionReason: whyNotOf(assembly) });
  const files = createStagedFiles(staging);
  return remoteEndpoints({
    hub,
    source,
    refusals: createRefusalLimit(config.unauthorizedPerMinute, () => performance.now()),
    admit: createMinuteLimit(SESSIONS_PER_MINUTE, 'This token has opened too many sessions within a minute.', () =>
      performance.now(),
    ),
    confirm: note.confirm,
    takeReport: takeReport({ tickets, strays, files, clock: clock.now }),
    files,
    isOneOfSeveral: logWatches !== null,
    release: version(),
    clock: clock.now,
  });
};

/**
 * Creates a function that returns why a result is rejected: its check was paused, moved or deleted before the run was
 * due.
 */
const whyNotOf = ({ readers, runners }: Assembly): UnawaitedResultsOptions['rejectionReason'] => {
  const read = readers.for({ appended: new Map() });
  return async ({ check_id, organization_id, result_type, region, slot }) => {
    const check = await findCheckOfAny({ read }, check_id);
    if (check?.organization_id !== organization_id) return 'The check was deleted.';
    // Runs on demand are allowed in any region, even for checks that are not active. If the check was updated after the
    // run was due, its state at the due time is unknown, so the result is accepted.
    if (result_type !== 'regular' || millisecondsOf(check.updated_at) > slot) return null;
    if (!regionsOf(check.parameters, runners.defaultRegion).some(({ id }) => id === region))
      return 'The check did not run in this region then.';
    return (await findRunningChecks({ read }, [check])).length > 0 ? null : 'The check was not active then.';
  };
};

/**
 * Returns a function that opens the staging area for files on first use. Most services have no remote runner whose runs
 * produce files.
 */
const stagingOf = ({ clock, closing }: Assembly): (() => Promise<Staging>) => {
  let opening: Promise<Staging> | null = null;
  closing.add('the artifacts of remote runs', async () => {
    await (await opening)?.close();
  });
  return () => (opening ??= openStaging(clock));
};

/** Tells the runners to forget the definitions of changed checks. Starts when the first runner connects. */
const forgetChanged = ({ deployment, readers, statuses, troubles, remote }: Assembly) => {
  const ending = new AbortController();
  const { checks: model } = readers.for({ appended: new Map() })(checks);
  let hasBegun = false;
  return {
    begin: (): void => {
      if (hasBegun) return;
      hasBegun = true;
      const trouble = (error: unknown): void => {
        troubles.report('Cannot notify remote runners of changed checks.', error);
      };
      void followChangedChecks({
        main: deployment.main,
        after: statuses.of(checks.name).position,
        checksOf: async (group_id) => (await model.pick(['id'], { where: { group_id } })).map(({ id }) => id),
        changed: (checkId) => remote.hub?.forget(checkId),
        trouble,
        signal: ending.signal,
      }).catch(trouble);
    },
    end: (): void => {
      ending.abort();
    },
  };
};

type ResultsWatch = NonNullable<Assembly['deployment']['logWatches']>['results'];

/**
 * Follows in the log which results other processes have stored. That is necessary if a proxy may send the reports of a
 * runner to other processes than the one with its stream.
 *
 * @param results null: there are no other processes
 */
const followResults = (hub: () => Hub | null, results: ResultsWatch | null) => {
  let end: (() => Promise<void>) | null = null;
  return {
    begin: (): void => {
      end ??=
        results?.listen((events) => {
          for (const { data } of events.filter(isStoredResult)) hub()?.stored(data.run_id, data.region);
        }) ?? null;
    },
    end: (): void => {
      void end?.();
    },
  };
};
