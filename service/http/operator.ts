import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { Operator } from '../../api/v1/operator/operator.ts';
import type { ServiceState, SettingFeature } from '../../api/v1/operator/schema.ts';
import { instantOf } from '../../domain/time.ts';
import type { LiveRunners, Region } from '../../domain/check/regions.ts';
import type { HealthPart } from '../../http/health.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import {
  listFailedItems,
  listReactors,
  retryItems,
  type FailedItemListing,
} from '../../reactors/engine/dead-letters.ts';
import { REACTOR_NAMES, REACTORS } from '../../reactors/index.ts';
import { titleOfQueue } from '../../runners/queue-names.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { Config } from '../config/config.ts';
import { isEmailOn } from '../notifiers.ts';

export type OperatorConfig = Pick<
  Config,
  | 'mailFrom'
  | 'publicUrl'
  | 'publicDomain'
  | 'smsGatewayUrl'
  | 'plans'
  | 'invoiceSeller'
  | 'metricsToken'
  | 'metricsPort'
>;

export interface OperatorOptions {
  organizationId: string;
  config: OperatorConfig;
  readers: Pick<Readers, 'for'>;
  statuses: Pick<Statuses, 'all' | 'lag'>;
  coordination: Pick<Coordination, 'read' | 'write' | 'failedItems'>;
  queue: Pick<WorkQueue, 'depths'>;
  artifacts: Pick<Artifacts, 'usage'>;
  runners: LiveRunners;
  regions: readonly Region[];
  /** returns the parts in `/health/ready` */
  health: () => Promise<readonly HealthPart[]>;
  /** path of the data folder; null in a cluster */
  folder: string | null;
  /** returns milliseconds since 1970 */
  clock: () => number;
}

/** Maximum number of dead letters in the response. */
const MAX_LISTED = 50;
/** Time limit for reading each part of the response, in milliseconds. A part that takes longer is left out. */
const PATIENCE_MS = 3_000;

/** Returns the result of some work; null if it fails or exceeds the time limit. */
const inTime = async <T>(work: Promise<T>): Promise<T | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    return await Promise.race([work, timedOut]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
};

/** Creates the source of the service's state, for its operator (docs/guide/console.md#service). */
export const createOperator = (options: OperatorOptions): Operator => ({
  organizationId: options.organizationId,
  readState: () => stateOf(options),
  retry: async (reactor, item) =>
    REACTOR_NAMES.includes(reactor) ? retryItems(options.coordination, reactor, item, randomUUID()) : null,
});

const stateOf = async (options: OperatorOptions): Promise<ServiceState> => {
  const { config, readers, coordination, queue, artifacts, health, folder, clock } = options;
  const read = readers.for({ appended: new Map() });
  const [parts, queues, reactors, failedItems, runners, disk, used] = await Promise.all([
    inTime(health()),
    inTime(queue.depths()),
    inTime(listReactors(REACTORS, read, { coordination, now: clock(), serviceRuns: true })),
    inTime(listFailedItems(REACTOR_NAMES, coordination, MAX_LISTED)),
    inTime(runnersOf(options)),
    folder === null ? null : inTime(diskOf(folder)),
    inTime(artifacts.usage()),
  ]);
  return {
    parts: [...(parts ?? [])],
    read_models: readModelsOf(options),
    queues:
      queues?.map(({ queue: name, waiting, in_flight, parked }) => ({
        region: titleOfQueue(name),
        waiting,
        in_flight,
        parked,
      })) ?? null,
    reactors:
      reactors?.map(({ name, state, waiting, retrying, given_up, oldest_seconds }) => ({
        name,
        state,
        waiting,
        retrying,
        given_up,
        oldest_seconds,
      })) ?? null,
    dead_letters: failedItems?.map(deadLetter) ?? null,
    runners: runners ?? [],
    disk,
    artifacts: used && { bytes: used.bytes, files: used.files },
    settings: settingsOf(config),
  };
};

const readModelsOf = ({ statuses }: Pick<OperatorOptions, 'statuses'>): ServiceState['read_models'] =>
  statuses
    .all()
    .map(({ name, state, position, generation, error, set_aside = 0 }) => ({
      name,
      state,
      position: Number(position),
      lag_seconds: Math.round(statuses.lag(name) * 1_000) / 1_000,
      is_rebuilding: generation === null,
      set_aside,
      error: error?.message ?? null,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

const deadLetter = ({ reactor, id, state, tries, again, since, reason }: FailedItemListing) => ({
  reactor,
  item: id,
  state,
  tries,
  since: instantOf(since),
  again_at: state === 'given_up' ? null : instantOf(again),
  reason,
});

const runnersOf = async ({
  runners,
  regions,
}: Pick<OperatorOptions, 'runners' | 'regions'>): Promise<ServiceState['runners']> => {
  const abilities = await runners.abilities();
  return regions.map(({ id }) => ({ region: id, types: [...(abilities.get(id) ?? [])].sort() }));
};

const diskOf = async (folder: string): Promise<NonNullable<ServiceState['disk']>> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
};

/** Returns which features are configured. For each feature that is off, lists the variables that have to be set. */
export const settingsOf = (config: OperatorConfig): ServiceState['settings'] => {
  const lacking = (...pairs: [variable: string, value: unknown][]): string[] =>
    pairs.filter(([, value]) => value === null).map(([variable]) => variable);
  const setting = (feature: SettingFeature, configured: boolean, variables: string[]) => ({
    feature,
    configured,
    variables: configured ? [] : variables,
  });
  const { mailFrom, publicUrl, publicDomain, smsGatewayUrl, plans, invoiceSeller, metricsToken, metricsPort } = config;
  return [
    setting('email', isEmailOn(config), lacking(['MAIL_FROM', mailFrom], ['PUBLIC_URL', publicUrl])),
    setting('links', publicUrl !== null, ['PUBLIC_URL']),
    setting('sms', smsGatewayUrl !== null, ['SMS_GATEWAY_URL']),
    setting('page_domain', publicDomain !== null, ['PUBLIC_DOMAIN']),
    setting('plans', plans !== null, ['PLANS_FILE']),
    setting('invoices', invoiceSeller !== null, ['INVOICE_SELLER_FILE']),
    setting('metrics', metricsToken !== null || metricsPort !== null, ['METRICS_TOKEN', 'METRICS_PORT']),
  ];
};
