import { maskedEndpoint } from '../subscriber/masking.ts';

/** `https://hooks.example.com/***`; a text that is not a URL is returned unchanged. */
export const maskedWebhook = (url: string): string => {
  const bare = beforePlaceholders(url);
  return URL.canParse(bare) ? maskedEndpoint(bare) : url;
};

/** `https://hooks.example.com`, the origin before the first template placeholder; null if the text is not a URL. */
export const webhookOrigin = (url: unknown): string | null => {
  const bare = typeof url === 'string' ? beforePlaceholders(url) : '';
  return URL.canParse(bare) ? new URL(bare).origin : null;
};

const beforePlaceholders = (url: string): string => url.split('{{', 1)[0] ?? '';
