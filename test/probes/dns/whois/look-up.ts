import { systemClock } from '../../../../network/clock.ts';
import { registrationOf, type Registration } from '../../../../probes/dns/whois/registration.ts';
import { createMemory, type Memory } from '../../../../probes/engine/run-cache.ts';
import { contextOf, type Probing } from '../../run-context.ts';
import type { LocalWorld } from './registries.ts';

export interface LookingUp extends Probing {
  within?: number;
}

/** Looks up the registration of a host, without rate limits. */
export const lookedUp = (host: string, world: LocalWorld, given: LookingUp = {}): Promise<Registration> => {
  const { within = 20_000, ...rest } = given;
  return registrationOf(host, within, contextOf({ memory: hasty(), registries: world.registries, ...rest }));
};

/** A cache without rate limits. */
export const hasty = (): Memory => ({ ...createMemory(systemClock), turn: async () => undefined });
