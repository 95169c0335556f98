import { ofHost } from './template.ts';

const DAY = 86_400;

export const certificate = ofHost({
  id: 'certificate0',
  name: 'Certificate',
  description:
    'The certificate of a server is trusted, is that of the host, and is valid for another two weeks; ' +
    'what the server offers rates 70 of 100 points at least.',
  type: 'ssl',
  tags: ['certificate', 'tls'],
  interval: 3_600,
  port: 443,
  parameters: { assertions: { expiration_threshold: 14 * DAY, ssl_score: 70 } },
});
