import { httpTarget } from '../../network/http-target.ts';
import type { NotifierSettings } from '../notifier.ts';

/** Returns the rate-limit target of a webhook: its host and port, such as `hooks.example.com:443`. */
export const webhookRateLimitTarget = ({ url }: NotifierSettings): string => {
  const { host, port } = httpTarget(new URL(url as string));
  return `${host.toLowerCase()}:${port}`;
};
