import type { Mac } from '../domain/signed-token.ts';
import type { SubscriberMode } from '../domain/subscriber/events.ts';
import type { HealthPart } from '../http/health.ts';
import { systemClock } from '../network/clock.ts';
import { livePolicyOf, type ReservedNow } from '../network/policy.ts';
import { resolveFew } from '../network/resolve-few.ts';
import { systemResolve } from '../network/resolve.ts';
import { createNotifiers } from '../notifiers/index.ts';
import type { Notifier } from '../notifiers/notifier.ts';
import { createAskWebhook, type AskWebhook } from '../notifiers/webhook/ask.ts';
import type { WebhookContext } from '../notifiers/webhook/index.ts';
import type { Config } from './config/config.ts';
import { smsGatewayOf, type GatewayConfig } from './config/sms-gateway.ts';
import { webhookRulesOf } from './config/target-policy.ts';

/** Names looked up at once: fewer than there are threads for it (64). */
const LOOK_UPS = 48;

const MACHINE = { clock: systemClock, resolve: resolveFew(systemResolve, LOOK_UPS) };

/** What says where webhooks may lead. */
type WebhookConfig = Pick<Config, 'webhookPolicy' | 'targetDeny'>;

/** What says where the messengers' interfaces are. */
type BotConfig = Pick<Config, 'telegramApiUrl' | 'maxApiUrl' | 'maxCaFile'>;

/**
 * Every notifier, with what the environment lets it reach.
 *
 * @param reserved what none of them may reach
 * @param mac signs the addresses that reports of failed e-mails go to
 */
export const notifiersOf = (
  config: WebhookConfig & BotConfig & GatewayConfig & Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>,
  reserved: ReservedNow,
  mac: Mac,
): ReadonlyMap<string, Notifier> => {
  const { smtpUrl: relay, mailFrom: from } = config;
  const gateway = smsGatewayOf(config);
  // The operator says where the gateway and the interfaces of messengers are.
  const policy = livePolicyOf({ policy: 'internal' }, reserved);
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

/** Asks webhooks for an answer, where messages may be sent. */
export const askWebhookOf = (config: WebhookConfig, reserved: ReservedNow): AskWebhook =>
  createAskWebhook(webhookContext(config, reserved));

const webhookContext = (config: WebhookConfig, reserved: ReservedNow): WebhookContext => {
  const rules = webhookRulesOf(config);
  return { ...MACHINE, policyName: rules.policy, policy: livePolicyOf(rules, reserved) };
};

const NO_SMS = 'No SMS is sent: SMS_GATEWAY_URL must be set.';

/** Whether SMS are sent; the service is ready without them. */
export const smsPart = (config: GatewayConfig): HealthPart => {
  const on = smsGatewayOf(config) !== null;
  return { name: 'SMS', ready: true, state: on ? 'on' : 'off', lag_seconds: null, message: on ? null : NO_SMS };
};

const NO_EMAIL = 'No e-mail is sent: MAIL_FROM and PUBLIC_URL must be set.';

/** Whether e-mail is sent. */
export const isEmailOn = ({ mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): boolean =>
  mailFrom !== null && publicUrl !== null;

/** The modes in which messages are sent to subscribers. */
export const sentModesOf = (
  config: GatewayConfig & Pick<Config, 'mailFrom' | 'publicUrl'>,
): ReadonlySet<SubscriberMode> =>
  new Set<SubscriberMode>([
    ...(isEmailOn(config) ? ['email' as const] : []),
    ...(smsGatewayOf(config) ? ['sms' as const] : []),
    'webhook',
  ]);

/** Whether e-mail is sent; the service is ready without it. */
export const emailPart = (config: Pick<Config, 'mailFrom' | 'publicUrl'>): HealthPart => {
  const on = isEmailOn(config);
  return { name: 'e-mail', ready: true, state: on ? 'on' : 'off', lag_seconds: null, message: on ? null : NO_EMAIL };
};
