import { httpTarget } from '../../network/http-target.ts';
import type { Notifier } from '../notifier.ts';
import { postTo, type WebhookContext } from './post.ts';
import { readSettings, shownSettings, validateSettings } from './settings.ts';

export type { WebhookContext } from './post.ts';

/** Posts messages as JSON to a URL. */
export const createWebhook = (context: WebhookContext): Notifier => ({
  name: 'webhook',
  validate: (settings) => validateSettings(settings, context),
  shown: shownSettings,
  limitedBy: (settings) => {
    const { host, port } = httpTarget(new URL(readSettings(settings).url));
    return `${host.toLowerCase()}:${port.toString()}`;
  },
  send: (message, settings, { signal }) => postTo(settings, message, { ...context, signal }),
});
