import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { createNotifiers } from '../../notifiers/index.ts';
import type { Notifier } from '../../notifiers/notifier.ts';
import type { Config } from '../config/config.ts';
import { webhookRulesOf } from '../config/target-policy.ts';

/** Every notifier, with what the environment lets it reach. */
export const notifiersOf = (config: Pick<Config, 'webhookPolicy' | 'targetDeny'>): ReadonlyMap<string, Notifier> => {
  const rules = webhookRulesOf(config);
  return createNotifiers({
    webhook: {
      clock: systemClock,
      resolve: systemResolve,
      policyName: rules.policy,
      policy: createTargetPolicy(rules),
    },
  });
};
