import type { Notifier } from './notifier.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** What the notifiers need of the world. */
export interface NotifiersContext {
  /** what webhooks, and all else that leads to where receivers say, may reach */
  webhook: WebhookContext;
}

/** Every notifier there is, by its name. */
export const createNotifiers = ({ webhook }: NotifiersContext): ReadonlyMap<string, Notifier> => {
  const all = [
    // A line for each notifier.
    createWebhook(webhook),
  ];
  return new Map(all.map((notifier) => [notifier.name, notifier]));
};
