import { MASK } from '../check/mask.ts';
import { maskedEmail, maskedEndpoint } from '../subscriber/masked.ts';
import type { ChannelTextPlace } from './configuration.ts';

/**
 * An opened text of a channel as a reader sees it. Tokens and the secret that signs are shown to nobody; the address
 * of a webhook, its headers and its body may hold secrets as well, and recipients are people, so only those who may
 * change them see them whole.
 *
 * @param reveal the reader may change channels
 */
export const shownChannelText = (text: string, { field }: ChannelTextPlace, reveal: boolean): string => {
  switch (field) {
    case 'recipients':
      return reveal ? text : maskedEmail(text);
    case 'url':
      return reveal ? text : maskedWebhook(text);
    case 'headers':
    case 'body_template':
      return reveal ? text : MASK;
    default:
      return MASK;
  }
};

/** Whether a text is shown masked by its kind, not by {@link MASK}: where it can't be read any more, that is shown. */
export const isRecognizable = ({ field }: ChannelTextPlace): boolean => field === 'recipients' || field === 'url';

/** `https://hooks.example.com/***`; of what is no URL, itself. */
export const maskedWebhook = (url: string): string => {
  const bare = withoutPlaces(url);
  return URL.canParse(bare) ? maskedEndpoint(bare) : url;
};

/** `https://hooks.example.com`, which no place of a template belongs to; null: it is no URL. */
export const webhookOrigin = (url: unknown): string | null => {
  const bare = typeof url === 'string' ? withoutPlaces(url) : '';
  return URL.canParse(bare) ? new URL(bare).origin : null;
};

const withoutPlaces = (url: string): string => url.split('{{', 1)[0] ?? '';
