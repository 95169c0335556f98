import { httpTarget } from '../../network/http-target.ts';
import type { NotifierSettings } from '../notifier.ts';

/** The host and port that webhooks share a rate limit by: `hooks.example.com:443`. */
export const webhookRateLimitTarget = ({ url }: NotifierSettings): string => {
  const { host, port } = httpTarget(new URL(url as string));
  return `${host.toLowerCase()}:${port}`;
};
