import { ofHost } from './template.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../time.ts';

export const certificate = ofHost({
  id: 'certificate0',
  name: 'Certificate',
  description:
    'The certificate of a server is trusted, matches the host, and is valid for at least two more weeks. ' +
    'The TLS configuration scores at least 70 of 100 points.',
  type: 'ssl',
  tags: ['certificate', 'tls'],
  interval: HOUR_SECONDS,
  port: 443,
  parameters: { assertions: { expiration_threshold: 14 * DAY_SECONDS, ssl_score: 70 } },
});
