import { flagIn, textIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';
import type { Endpoint } from './types/monitored.ts';

/** Settings of the client that have no equivalent, each with the rest of a sentence about the endpoint. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  oauth2: 'gets a token by OAuth 2, which a check cannot; a multistep check can get the token in its script.',
  'identity-aware-proxy':
    'signs in to an identity-aware proxy, which a check cannot; a multistep check can in its script.',
  kerberos: 'signs in by Kerberos, which has no equivalent; let a job on a machine with a ticket ping a heartbeat.',
  'proxy-url': 'uses a proxy, which a check cannot; a remote runner in that network can run the check.',
  tunnel: 'uses an SSH tunnel, which a check cannot; a remote runner in that network can run the check.',
};

const isSet = (client: Mapping, key: string): boolean => client[key] !== undefined && client[key] !== null;

/** Notes settings of the client that have no equivalent. */
export const noteClient = ({ client, url, section, note }: Endpoint): void => {
  for (const [key, sentence] of Object.entries(UNSUPPORTED)) if (isSet(client, key)) note(sentence);
  if (flagIn(client, 'insecure') === true && /^(https|tls|starttls|wss|grpcs):/i.test(url))
    note(
      'accepts any certificate (insecure), but its check does not; set ca_certificate to the certificate of the server.',
    );
  if (isSet(client, 'tls'))
    note('sends a client certificate, which a check cannot; let a job that has the certificate ping a heartbeat.');
  if (isSet(client, 'dns-resolver') && !isSet(section, 'dns'))
    note('uses its own name server, but its check uses that of the runner; a dns check can query the server.');
  const network = textIn(client, 'network') ?? 'ip';
  if (network !== 'ip' && !/^icmp:/i.test(url))
    note(`uses only ${network}, but only icmp checks choose a version of IP; use an address instead of the name.`);
};
