import { maskedEndpoint } from '../subscriber/masked.ts';

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
