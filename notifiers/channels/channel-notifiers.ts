import { askService } from '../service-request.ts';
import type { Notifier, Sent, Settings, SettingsErrors } from '../notifier.ts';
import { failedTry } from '../send-outcomes.ts';
import type { WebhookContext } from '../webhook/post.ts';
import { urlProblem } from '../webhook/settings.ts';
import type { ChannelType, Sending } from './channel-type.ts';
import { CHANNEL_TYPES } from './index.ts';

/** The notifiers of the types that send messages themselves, under the same policy as webhooks. */
export const channelNotifiers = (context: WebhookContext): Notifier[] =>
  CHANNEL_TYPES.flatMap((type) => (type.sending ? [notifierOf(type, type.sending, context)] : []));

const notifierOf = (
  { name, sealed, limitedBy }: ChannelType,
  { validate, who, send }: Sending,
  context: WebhookContext,
): Notifier => {
  const problems = (settings: Settings): SettingsErrors => validate(settings, (url) => urlProblem(url, context));
  return {
    name,
    validate: problems,
    shown: (settings) =>
      Object.fromEntries(
        Object.entries(settings).map(([field, value]) => [
          field,
          typeof value === 'string' ? (sealed[field]?.shown(value, false) ?? value) : value,
        ]),
      ),
    limitedBy,
    send: async (message, settings, { signal }) => {
      const [field] = Object.keys(problems(settings));
      if (field !== undefined) return unusable(who, field);
      return send(message, settings, (request) => askService(request, { ...context, signal }, who));
    },
  };
};

/** Settings that were valid when saved may be refused later. */
const unusable = (who: string, field: string): Sent =>
  failedTry('settings', `The ${field} of ${who} can not be used any more.`, { permanent: true });
