import type { Receivers } from '../../commands/alerts/channel-tests.ts';
import type { SignUpDependencies } from '../../commands/dependencies.ts';
import { networkOf } from '../../http/client-address.ts';
import { createMinuteLimit } from '../../http/rate-limit.ts';
import type { Notifier } from '../../notifiers/notifier.ts';
import type { Config } from '../config/config.ts';

type Limits =
  'subscriptionsPerMinute' | 'unconfirmedPerHour' | 'confirmationsPerDay' | 'smsCountries' | 'smsDailyLimit';

/** Returns the configured limits for new subscriptions. */
export const createSignUps = (config: Pick<Config, Limits>): SignUpDependencies => {
  const limit = createMinuteLimit(
    config.subscriptionsPerMinute,
    'Too many subscriptions from this address. Please try again later.',
    () => performance.now(),
  );
  return {
    admit: (clientAddress) => {
      limit(networkOf(clientAddress ?? ''));
    },
    unconfirmedPerHour: config.unconfirmedPerHour,
    confirmationsPerDay: config.confirmationsPerDay,
    smsCountries: config.smsCountries,
    smsPerDay: config.smsDailyLimit,
  };
};

/**
 * Returns the functions with which commands validate a receiver and determine which rate limit applies to it. All
 * receivers with the same unknown notifier share one rate limit.
 */
export const createReceivers = (notifiers: ReadonlyMap<string, Notifier>): Receivers => ({
  problems: (notifier, settings) => notifiers.get(notifier)?.validate(settings) ?? {},
  limitedBy: (notifier, settings) => notifiers.get(notifier)?.rateLimitTarget(settings) ?? notifier,
});
