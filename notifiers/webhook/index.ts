import { httpTarget } from '../../network/http-target.ts';
import type { Notifier, Settings } from '../notifier.ts';
import { postTo, type WebhookContext } from './post.ts';
import { readSettings, shownSettings, validateSettings } from './settings.ts';

export type { WebhookContext } from './post.ts';

/** The host and the port that webhooks share a limit by. */
export const webhookTarget = (settings: Settings): string => {
  const { host, port } = httpTarget(new URL(readSettings(settings).url));
  return `${host.toLowerCase()}:${port.toString()}`;
};

/** Posts messages as JSON to a URL. */
export const createWebhook = (context: WebhookContext): Notifier => ({
  name: 'webhook',
  validate: (settings) => validateSettings(settings, context),
  shown: shownSettings,
  limitedBy: webhookTarget,
  send: (message, settings, { signal }) => postTo(settings, message, { ...context, signal }),
});
