import { maskedEndpoint } from '../subscriber/masking.ts';

/**
 * Masks the path of a URL, which may contain secrets: `https://hooks.example.com/***`. Returns a text that is not a URL
 * unchanged.
 */
export const maskedWebhook = (url: string): string => {
  const bare = beforePlaceholders(url);
  return URL.canParse(bare) ? maskedEndpoint(bare) : url;
};

/**
 * Returns the origin of a URL, such as `https://hooks.example.com`, ignoring everything after the first `{{`. Returns
 * null if the text is not a URL.
 */
export const webhookOrigin = (url: unknown): string | null => {
  const bare = typeof url === 'string' ? beforePlaceholders(url) : '';
  return URL.canParse(bare) ? new URL(bare).origin : null;
};

const beforePlaceholders = (url: string): string => url.split('{{', 1)[0] ?? '';
