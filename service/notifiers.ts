import type { Mac } from '../domain/signed-token.ts';
import type { SubscriberMode } from '../domain/subscriber/events.ts';
import type { HealthPart } from '../http/health.ts';
import { systemClock } from '../network/clock.ts';
import { createLivePolicy, type CurrentReservedTargets } from '../network/policy.ts';
import { limitedResolve } from '../network/limited-resolve.ts';
import { systemResolve } from '../network/resolve.ts';
import { createNotifiers } from '../notifiers/index.ts';
import type { Notifier } from '../notifiers/notifier.ts';
import { createRequestWebhook, type RequestWebhook } from '../notifiers/webhook/response.ts';
import type { WebhookContext } from '../notifiers/webhook/index.ts';
import type { Config } from './config/config.ts';
import { smsGatewayOf, type GatewayConfig } from './config/sms-gateway.ts';
import { webhookRulesOf } from './config/target-policy.ts';

/** Maximum number of concurrent look-ups of names. It is lower than the number of threads that perform them (64). */
const LOOK_UPS = 48;

const MACHINE = { clock: systemClock, resolve: limitedResolve(systemResolve, LOOK_UPS) };

/** The part of the configuration that determines which targets webhooks may reach. */
type WebhookConfig = Pick<Config, 'webhookPolicy' | 'targetDeny'>;

/** The part of the configuration for the APIs of messengers. */
type BotConfig = Pick<Config, 'telegramApiUrl' | 'maxApiUrl' | 'maxCaFile'>;

/**
 * Creates all notifiers. The configuration determines which targets they may reach.
 *
 * @param reserved targets that no notifier may reach
 * @param mac signs the bounce addresses of e-mail
 */
export const createConfiguredNotifiers = (
  config: WebhookConfig & BotConfig & GatewayConfig & Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>,
  reserved: CurrentReservedTargets,
  mac: Mac,
): ReadonlyMap<string, Notifier> => {
  const { smtpUrl: relay, mailFrom: from } = config;
  const gateway = smsGatewayOf(config);
  // The operator chooses the gateway and the APIs of messengers, so internal addresses are allowed.
  const policy = createLivePolicy({ policy: 'internal' }, reserved);
  return createNotifiers({
    webhook: webhookContext(config, reserved),
    email: isEmailOn(config) && from ? { ...MACHINE, relay, from, mac } : NO_EMAIL,
    sms: gateway ? { ...MACHINE, gateway, policy } : NO_SMS,
    telegram: { ...MACHINE, apiUrl: config.telegramApiUrl, policy },
    max: {
      ...MACHINE,
      apiUrl: config.maxApiUrl,
      policy,
      ...(config.maxCaFile !== null && { trust: config.maxCaFile }),
    },
  });
};

/** Creates a function that requests a response from a webhook, under the rules for notifications. */
export const createWebhookChallenge = (config: WebhookConfig, reserved: CurrentReservedTargets): RequestWebhook =>
  createRequestWebhook(webhookContext(config, reserved));

const webhookContext = (config: WebhookConfig, reserved: CurrentReservedTargets): WebhookContext => {
  const rules = webhookRulesOf(config);
  return { ...MACHINE, policyName: rules.policy, policy: createLivePolicy(rules, reserved) };
};

const NO_SMS = 'SMS is off: set SMS_GATEWAY_URL.';

/** Returns whether SMS are sent, as a part of `/health/ready`. The service is ready even if no SMS are sent. */
export const smsPart = (config: GatewayConfig): HealthPart => {
  const on = smsGatewayOf(config) !== null;
  return { name: 'SMS', ready: true, state: on ? 'on' : 'off', lag_seconds: null, message: on ? null : NO_SMS };
};

const NO_EMAIL = 'E-mail is off: set MAIL_FROM and PUBLIC_URL.';

/** Returns whether e-mail is sent. */
export const isEmailOn = ({ mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): boolean =>
  mailFrom !== null && publicUrl !== null;

/** Returns the ways in which this service can send messages to subscribers. */
export const sentModesOf = (
  config: GatewayConfig & Pick<Config, 'mailFrom' | 'publicUrl'>,
): ReadonlySet<SubscriberMode> =>
  new Set<SubscriberMode>([
    ...(isEmailOn(config) ? ['email' as const] : []),
    ...(smsGatewayOf(config) ? ['sms' as const] : []),
    'webhook',
  ]);

/** Returns whether e-mail is sent, as a part of `/health/ready`. The service is ready even if no e-mail is sent. */
export const emailPart = (config: Pick<Config, 'mailFrom' | 'publicUrl'>): HealthPart => {
  const on = isEmailOn(config);
  return { name: 'e-mail', ready: true, state: on ? 'on' : 'off', lag_seconds: null, message: on ? null : NO_EMAIL };
};
