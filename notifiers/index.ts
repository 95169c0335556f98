import { createEmail, createNoEmail, type EmailContext } from './email/index.ts';
import type { BotContext } from './bot.ts';
import { channelNotifiers } from './channels/sending.ts';
import { createMax } from './max/index.ts';
import type { Notifier } from './notifier.ts';
import { createNoSms, createSms, type SmsContext } from './sms/index.ts';
import { createTelegram } from './telegram/index.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** What notifiers need from the outside. */
export interface NotifiersContext {
  /** what webhooks, and all other targets that receivers name, may reach */
  webhook: WebhookContext;
  /** or why there is none, in a sentence */
  email: EmailContext | string;
  /** or why there is none, in a sentence */
  sms: SmsContext | string;
  telegram: BotContext;
  max: BotContext;
}

/** Every notifier, by its name. */
export const createNotifiers = ({
  webhook,
  email,
  sms,
  telegram,
  max,
}: NotifiersContext): ReadonlyMap<string, Notifier> => {
  const all = [
    // A line for each notifier.
    createWebhook(webhook),
    typeof email === 'string' ? createNoEmail(email) : createEmail(email),
    typeof sms === 'string' ? createNoSms(sms) : createSms(sms),
    createTelegram(telegram),
    createMax(max),
    ...channelNotifiers(webhook),
  ];
  return new Map(all.map((notifier) => [notifier.name, notifier]));
};
