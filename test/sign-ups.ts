import type { SignUps } from '../commands/dependencies.ts';
import type { Receivers } from '../commands/alerts/receivers.ts';
import { createTargetPolicy } from '../domain/target/policy.ts';
import { systemClock } from '../network/clock.ts';
import { systemResolve } from '../network/resolve.ts';
import { createNoEmail } from '../notifiers/email/index.ts';
import { createMax } from '../notifiers/max/index.ts';
import type { Notifier } from '../notifiers/notifier.ts';
import { createTelegram } from '../notifiers/telegram/index.ts';
import { createWebhook } from '../notifiers/webhook/index.ts';
import { webhookRulesOf } from '../service/config/target-policy.ts';
import { receiversOf } from '../service/answer/sign-ups.ts';

const rules = webhookRulesOf({ webhookPolicy: 'internal', targetDeny: null });
const webhook = createWebhook({
  clock: systemClock,
  resolve: systemResolve,
  policyName: rules.policy,
  policy: createTargetPolicy(rules),
});

const bot = {
  clock: systemClock,
  resolve: systemResolve,
  policy: createTargetPolicy(rules),
  // Nobody listens there.
  apiUrl: 'http://127.0.0.1:9',
};

/** Notifiers that reach the loopback address alone. */
export const NOTIFIERS: ReadonlyMap<string, Notifier> = new Map(
  [webhook, createNoEmail('No e-mail is sent.'), createTelegram(bot), createMax(bot)].map((one) => [one.name, one]),
);

/** What is known of receivers in a service whose webhooks may lead to the loopback address. */
export const RECEIVERS: Receivers = receiversOf(NOTIFIERS);

/** Limits that specifications don't reach by themselves. */
export const ANY_SIGN_UPS: SignUps = {
  admit: () => undefined,
  unconfirmedPerHour: 1_000_000,
  confirmationsPerDay: 50,
  smsCountries: null,
  smsPerDay: null,
};
