import { createEmail, createNoEmail, type EmailContext } from './email/index.ts';
import type { BotContext } from './bot-notifier.ts';
import { channelNotifiers } from './channels/channel-notifiers.ts';
import { createMax } from './max/index.ts';
import type { Notifier } from './notifier.ts';
import { createNoSms, createSms, type SmsContext } from './sms/index.ts';
import { createTelegram } from './telegram/index.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** Dependencies of the notifiers. */
export interface NotifiersContext {
  /** dependencies of webhooks; their policy applies to all targets that customers name */
  webhook: WebhookContext;
  /** dependencies of e-mail, or a sentence that says why e-mail is off */
  email: EmailContext | string;
  /** dependencies of SMS, or a sentence that says why SMS is off */
  sms: SmsContext | string;
  telegram: BotContext;
  max: BotContext;
}

/** Creates all notifiers and returns them by name. */
export const createNotifiers = ({
  webhook,
  email,
  sms,
  telegram,
  max,
}: NotifiersContext): ReadonlyMap<string, Notifier> => {
  const all = [
    // Each notifier has a line of its own.
    createWebhook(webhook),
    typeof email === 'string' ? createNoEmail(email) : createEmail(email),
    typeof sms === 'string' ? createNoSms(sms) : createSms(sms),
    createTelegram(telegram),
    createMax(max),
    ...channelNotifiers(webhook),
  ];
  return new Map(all.map((notifier) => [notifier.name, notifier]));
};
