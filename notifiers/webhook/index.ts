import type { Notifier } from '../notifier.ts';
import { postTo, type WebhookContext } from './post.ts';
import { shownSettings, validateSettings } from './settings.ts';
import { webhookTarget } from './rate-limit-target.ts';

export type { WebhookContext } from './post.ts';

/** Posts messages as JSON to a URL. */
export const createWebhook = (context: WebhookContext): Notifier => ({
  name: 'webhook',
  validate: (settings) => validateSettings(settings, context),
  shown: shownSettings,
  limitedBy: webhookTarget,
  send: (message, settings, { signal }) => postTo(settings, message, { ...context, signal }),
});
