import { systemClock } from '../../../../network/clock.ts';
import { registrationOf, type Registration } from '../../../../probes/dns/whois/registration.ts';
import { createRunCache, type RunCache } from '../../../../probes/engine/run-cache.ts';
import { contextOf, type TestRunOptions } from '../../run-context.ts';
import type { LocalWorld } from './registries.ts';

export interface LookUpOptions extends TestRunOptions {
  within?: number;
}

/** Looks up the registration of a host, without rate limits. */
export const lookUpRegistration = (
  host: string,
  world: LocalWorld,
  given: LookUpOptions = {},
): Promise<Registration> => {
  const { within = 20_000, ...rest } = given;
  return registrationOf(host, within, contextOf({ memory: shortOfTime(), registries: world.registries, ...rest }));
};

/** Creates a cache without rate limits. */
export const shortOfTime = (): RunCache => ({ ...createRunCache(systemClock), waitForSlot: async () => undefined });
