import { textIn } from '../../mapping/fields.ts';
import { commonConditions } from './common-conditions.ts';
import { noteCondition, type Endpoint, type Monitored } from './monitored.ts';

const VERSIONS: Readonly<Record<string, string>> = { ip4: 'v4', ip6: 'v6' };

/** Converts an icmp:// endpoint to an icmp check. */
export const icmpEndpoint = (endpoint: Endpoint): Monitored => {
  const host = endpoint.url.replace(/^icmp:\/\//i, '').replace(/\/.*$/s, '');
  const { rest, additional, slowAfter, certificate } = commonConditions(endpoint, host);
  if (certificate !== null) endpoint.note('has a condition on a certificate, which a ping does not see.');
  for (const condition of rest) noteCondition(endpoint, condition, 'an icmp check judges loss and response times.');
  const version = VERSIONS[textIn(endpoint.client, 'network') ?? ''];
  return {
    main: { type: 'icmp', host, parameters: version === undefined ? {} : { ip_version: version } },
    additional,
    slowAfter,
  };
};
