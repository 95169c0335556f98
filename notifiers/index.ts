import type { Notifier } from './notifier.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** What notifiers need from the outside. */
export interface NotifiersContext {
  /** what webhooks, and all other targets that receivers name, may reach */
  webhook: WebhookContext;
}

/** Every notifier, by its name. */
export const createNotifiers = ({ webhook }: NotifiersContext): ReadonlyMap<string, Notifier> => {
  const all = [
    // A line for each notifier.
    createWebhook(webhook),
  ];
  return new Map(all.map((notifier) => [notifier.name, notifier]));
};
