import { createHandle } from '../../commands/engine/handle.ts';
import type { CommandParts } from '../../commands/index.ts';
import { bindingTo } from '../../domain/check/secrets.ts';
import { checkDecider, isLive, type Check } from '../../domain/check/state.ts';
import { CHECK_TYPE_NAMES } from '../../domain/check/types/index.ts';
import { REGIONS, type LiveRunners } from '../../domain/check/regions.ts';
import type { Decider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/event.ts';
import { secretDecider, type Secret } from '../../domain/secret/state.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { startProcess } from './simulated-processes.ts';

/* Functions for tests in which several processes share secrets and checks. */

const REGION = REGIONS[0];
if (!REGION) throw new Error('There is no region.');
const RUNNERS: LiveRunners = {
  defaultRegion: REGION,
  abilities: () => Promise.resolve(new Map(REGIONS.map(({ id }) => [id, CHECK_TYPE_NAMES]))),
};

/** Lets other tasks continue. */
const soon = async (milliseconds: number): Promise<void> => {
  for (let ticks = 0; ticks < milliseconds; ticks++) await new Promise((resolve) => setImmediate(resolve));
};

export const CHECK = {
  type: 'tcp',
  name: 'Port',
  active: true,
  interval: 60,
  timeout: 10,
  host: 'localhost',
  url: null,
  port: 80,
  parameters: {},
} as const;

/** Starts a process with runners for every check type. */
export const process = (store: EventStore, keys: Keys, given: Partial<CommandParts> = {}) =>
  startProcess(store, { keys, runners: RUNNERS, pause: soon, ...given }).commands.bind;

const foldedOf = async <State, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Event>,
): Promise<Map<string, State>> => {
  const handle = createHandle({ store, clock: () => 0 });
  const events = await store.readAll({ after: 0n, categories: [decider.category], limit: 100_000 });
  const ids = new Map(
    events.map(({ stream, metadata }) => [stream.slice(decider.category.length + 1), metadata.organization_id ?? '']),
  );
  const states = [...ids].map(async ([id, organizationId]): Promise<[string, State]> => [
    id,
    await handle.load(id, decider, { organizationId }),
  ]);
  return new Map(await Promise.all(states));
};

export const secretsIn = (store: EventStore): Promise<Map<string, Secret>> => foldedOf(store, secretDecider);
export const checksIn = (store: EventStore): Promise<Map<string, Check>> => foldedOf(store, checkDecider);

/**
 * Returns the inconsistent bindings of existing checks: those to deleted secrets, and those without a claim in the
 * stream of the secret.
 */
export const danglingIn = async (store: EventStore): Promise<string[]> => {
  const [secrets, checks] = [await secretsIn(store), await checksIn(store)];
  return [...checks].flatMap(([checkId, check]) =>
    isLive(check)
      ? check.secrets.flatMap(({ secret_id, claim }) => {
          const secret = secrets.get(secret_id);
          const known = secret?.status === 'live' && (secret.claims.get(checkId) ?? 0) >= claim;
          return known ? [] : [`${checkId} is bound to ${secret_id}, which is ${secret?.status ?? 'absent'}`];
        })
      : [],
  );
};

/** Returns whether a check is bound to a secret according to the stream of the check. */
export const isBound = async (store: EventStore, checkId: string, secretId: string): Promise<boolean> => {
  const check = (await checksIn(store)).get(checkId);
  return check !== undefined && bindingTo(check, secretId) !== undefined;
};
