import type { Logger } from 'pino';
import { servedRegions } from '../commands/checks/checks.ts';
import { readHaltReason } from '../reactors/engine/checkpoint.ts';
import type { AvailableTypes } from '../probes/tools.ts';
import { recordReception, startHttpRole } from './http/role.ts';
import { assemble, type Assembly } from './assembly.ts';
import type { AdminKey } from './bootstrap.ts';
import { createShutdown } from './shutdown.ts';
import type { Config } from './config/config.ts';
import { openFoundation, type FoundationOptions } from './foundation.ts';
import { observeReactors, observeState } from './metrics/metrics.ts';
import type { Plan } from './plan.ts';
import { followRunners, serveRunners } from './remote/role.ts';
import { abilityOf, startRun } from './run/role.ts';
import { watchCutOff } from './run/cut-off-regions.ts';
import { watchUnserved } from './run/unserved-checks.ts';
import { startSchedule } from './schedule/role.ts';

/** A process of the service. */
export interface Service {
  /** base URL: `http://127.0.0.1:3000` */
  address: string;
  /** where the data is stored, for messages */
  location: string;
  adminKey: AdminKey;
  /** the check types that run in this process, and those that can't run */
  ability: AvailableTypes;
  /** why the reactors are halted, as a sentence; null if they are not halted */
  halted: string | null;
  /** Resolves with the reason when the service can't continue. The caller then has to stop the service. */
  failed: Promise<Error>;
  /**
   * Stops the service: accepts no new requests, finishes those in progress, stores all checkpoints and closes
   * everything.
   */
  stop: () => Promise<void>;
  /** Returns the name of the part that is being closed; null if none is. */
  closing: () => string | null;
}

/**
 * Opens everything that a process needs for its duties, and connects the parts
 * (docs/decisions/0001-two-deployments.md).
 *
 * @throws Error explains the problem: the directory is in use, is not writable, or was written by a newer release, or
 * the port is in use
 */
export const startService = async (config: Config, logger: Logger, plan: Plan): Promise<Service> => {
  const closing = createShutdown((name, error) => {
    logger.error({ err: error }, `${name} could not be closed`);
  });
  try {
    return await open({ config, logger, plan, closing });
  } catch (error) {
    await closing.close();
    throw error;
  }
};

const open = async (options: FoundationOptions): Promise<Service> => {
  const { plan, closing } = options;
  const { duties } = plan;
  const ability = await abilityOf(options);
  const foundation = await openFoundation(options);
  const assembly = await assemble(foundation, ability.types);
  // The built-in runner does not serve the regions of remote runners. A separate `run` process always serves its own
  // regions.
  const isBuiltIn = duties.has('run') && duties.has('api');
  const registry = duties.has('api') || duties.has('schedule') ? followRunners(assembly) : null;
  if (duties.has('run')) await startRun(assembly, ability, isBuiltIn ? registry : null);
  if (duties.has('schedule')) await startSchedule(assembly);
  if (duties.has('api')) await recordReception(assembly);
  observe(assembly);
  const http = await startHttpRole(assembly, (source) =>
    registry && duties.has('api') ? serveRunners(assembly, registry, source) : [],
  );
  return {
    address: http.address,
    location: assembly.deployment.location,
    adminKey: assembly.adminKey,
    ability: { types: duties.has('run') ? [...ability.types] : [], unavailable: ability.lacking },
    halted: await readHaltReason(assembly.deployment.coordination),
    failed: Promise.race(assembly.working.map(failureOf)),
    stop: closing.close,
    closing: closing.current,
  };
};

/** Adds the state of all roles to `/metrics` and `/health/ready`. */
const observe = ({ plan, logger, closing, deployment, clock, readers, statuses, ...assembly }: Assembly): void => {
  const { registry, commands, parts, remoteRegions: remote } = assembly;
  observeState(registry, statuses, deployment.queue);
  observeReactors(registry, deployment.coordination);
  if (!plan.duties.has('api') && !plan.duties.has('schedule')) return;
  const served = commands.bind(servedRegions);
  const cutOff = watchCutOff({ remote, registry, logger });
  closing.add('the watch for cut-off regions', cutOff.stop);
  const unserved = watchUnserved({ readers, served, clock: clock.now, cutOff: cutOff.message, registry, logger });
  closing.add('the watch for checks without a runner', unserved.stop);
  parts.push(unserved.part);
};

/** Resolves with the reason if a promise rejects. Never resolves if the promise is fulfilled. */
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  new Promise((resolve) => {
    promise.catch((error: unknown) => {
      resolve(error instanceof Error ? error : new Error(String(error)));
    });
  });
