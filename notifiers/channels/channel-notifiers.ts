import { requestService } from '../service-request.ts';
import type { Notifier, SendOutcome, NotifierSettings, SettingsErrors } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import type { WebhookContext } from '../webhook/post.ts';
import { urlProblem } from '../webhook/settings.ts';
import type { ChannelType, ChannelSender } from './channel-type.ts';
import { CHANNEL_TYPES } from './index.ts';

/** Creates the notifiers of all channel types that have a `sender`. They are subject to the same policy as webhooks. */
export const channelNotifiers = (context: WebhookContext): Notifier[] =>
  CHANNEL_TYPES.flatMap((type) => (type.sender ? [notifierOf(type, type.sender, context)] : []));

const notifierOf = (
  { name, sealed, rateLimitTarget }: ChannelType,
  { validate, serviceName, send }: ChannelSender,
  context: WebhookContext,
): Notifier => {
  const problems = (settings: NotifierSettings): SettingsErrors =>
    validate(settings, (url) => urlProblem(url, context));
  return {
    name,
    validate: problems,
    maskedSettings: (settings) =>
      Object.fromEntries(
        Object.entries(settings).map(([field, value]) => [
          field,
          typeof value === 'string' ? (sealed[field]?.format(value, false) ?? value) : value,
        ]),
      ),
    rateLimitTarget,
    send: async (message, settings, { signal }) => {
      const [field] = Object.keys(problems(settings));
      if (field !== undefined) return unusable(serviceName, field);
      return send(message, settings, (request) => requestService(request, { ...context, signal }, serviceName));
    },
  };
};

/** Settings are validated again before sending, because the rules may have changed after the settings were saved. */
const unusable = (who: string, field: string): SendOutcome =>
  failedAttempt('settings', `The ${field} of ${who} can not be used any more.`, { permanent: true });
