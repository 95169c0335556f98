import type { Notifier } from '../notifier.ts';
import { postWebhook, type WebhookContext } from './post.ts';
import { maskedSettings, validateSettings } from './settings.ts';
import { webhookRateLimitTarget } from './rate-limit-target.ts';

export type { WebhookContext } from './post.ts';

/** Creates the notifier that sends messages as JSON to a URL. */
export const createWebhook = (context: WebhookContext): Notifier => ({
  name: 'webhook',
  validate: (settings) => validateSettings(settings, context),
  maskedSettings: maskedSettings,
  rateLimitTarget: webhookRateLimitTarget,
  send: (message, settings, { signal }) => postWebhook(settings, message, { ...context, signal }),
});
