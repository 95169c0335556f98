import { createEmail, createNoEmail, type EmailContext } from './email/index.ts';
import type { BotContext } from './bot-notifier.ts';
import { channelNotifiers } from './channels/channel-notifiers.ts';
import { createMax } from './max/index.ts';
import type { Notifier } from './notifier.ts';
import { createNoSms, createSms, type SmsContext } from './sms/index.ts';
import { createTelegram } from './telegram/index.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** What notifiers depend on. */
export interface NotifiersContext {
  /** the policy for webhooks and all other targets that customers name */
  webhook: WebhookContext;
  /** or a sentence that says why e-mail is off */
  email: EmailContext | string;
  /** or a sentence that says why SMS is off */
  sms: SmsContext | string;
  telegram: BotContext;
  max: BotContext;
}

/** Every notifier by its name. */
export const createNotifiers = ({
  webhook,
  email,
  sms,
  telegram,
  max,
}: NotifiersContext): ReadonlyMap<string, Notifier> => {
  const all = [
    // One line per notifier.
    createWebhook(webhook),
    typeof email === 'string' ? createNoEmail(email) : createEmail(email),
    typeof sms === 'string' ? createNoSms(sms) : createSms(sms),
    createTelegram(telegram),
    createMax(max),
    ...channelNotifiers(webhook),
  ];
  return new Map(all.map((notifier) => [notifier.name, notifier]));
};
