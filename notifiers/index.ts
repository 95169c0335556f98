import type { Notifier } from './notifier.ts';
import { createWebhook, type WebhookContext } from './webhook/index.ts';

/** What the notifiers need of the world. */
export interface NotifiersContext {
  webhook: WebhookContext;
}

/** Every notifier there is, by its name. */
export const createNotifiers = ({ webhook }: NotifiersContext): ReadonlyMap<string, Notifier> =>
  new Map([createWebhook(webhook)].map((notifier) => [notifier.name, notifier]));
