import { systemClock } from '../../../../network/clock.ts';
import { registrationOf, type Registration } from '../../../../probes/dns/whois/registration.ts';
import { createMemory, type Memory } from '../../../../probes/engine/memory.ts';
import { contextOf, type Probing } from '../../probing.ts';
import type { LocalWorld } from './registries.ts';

export interface LookingUp extends Probing {
  within?: number;
}

/** Looks up who has the domain of a host; registries are asked without pauses. */
export const lookedUp = (host: string, world: LocalWorld, given: LookingUp = {}): Promise<Registration> => {
  const { within = 20_000, ...rest } = given;
  return registrationOf(host, within, contextOf({ memory: hasty(), registries: world.registries, ...rest }));
};

/** A memory that lets everybody have their turn at once. */
export const hasty = (): Memory => ({ ...createMemory(systemClock), turn: async () => undefined });
