import type { Target } from './open-connection.ts';

/** Returns the connection target of a URL. */
export const httpTarget = ({ hostname, port, protocol }: URL): Target => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = protocol === 'https:';
  return {
    host,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    ...(secure && { tls: { alpn: ['http/1.1'] } }),
  };
};
