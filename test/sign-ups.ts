import type { SignUpDependencies } from '../commands/dependencies.ts';
import type { Receivers } from '../commands/alerts/channel-tests.ts';
import { createTargetPolicy } from '../domain/target/policy.ts';
import { systemClock } from '../network/clock.ts';
import { systemResolve } from '../network/resolve.ts';
import { createNotifiers } from '../notifiers/index.ts';
import { webhookRulesOf } from '../service/config/target-policy.ts';
import { createReceivers } from '../service/http/sign-ups.ts';

const rules = webhookRulesOf({ webhookPolicy: 'internal', targetDeny: null });
const machine = { clock: systemClock, resolve: systemResolve, policy: createTargetPolicy(rules) };
// No server listens at this URL, so no message of a bot is sent.
const bot = { ...machine, apiUrl: 'http://127.0.0.1:9' };

/** Notifiers that reach only the loopback address. */
export const NOTIFIERS = createNotifiers({
  webhook: { ...machine, policyName: rules.policy },
  email: 'No e-mail is sent.',
  sms: 'No SMS is sent.',
  telegram: bot,
  max: bot,
});

/** Rules for receivers in a service that allows webhooks to the loopback address. */
export const RECEIVERS: Receivers = createReceivers(NOTIFIERS);

/** Limits of sign-ups that are too high for tests to reach unintentionally. */
export const ANY_SIGN_UPS: SignUpDependencies = {
  admit: () => undefined,
  unconfirmedPerHour: 1_000_000,
  confirmationsPerDay: 50,
  smsCountries: null,
  smsPerDay: null,
};
