import { textIn } from '../../mapping/fields.ts';
import { targetIn } from '../../mapping/target.ts';
import type { Condition } from '../conditions.ts';
import { bodyText } from './body-text.ts';
import { commonConditions, thresholdOf, type CommonConditions } from './common-conditions.ts';
import { noteCondition, type Endpoint, type Monitored } from './monitored.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { ssh: 22, ws: 80, wss: 443, grpc: 80, grpcs: 443 };

/** Parses `scheme://host:port/…`; null if host or port are missing. */
const placeOf = (url: string): { scheme: string; host: string; port: number } | null => {
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#]*)/i.exec(url) ?? [];
  const found = targetIn(authority.replace(/^.*@/, ''));
  const port = found?.port ?? DEFAULT_PORTS[scheme.toLowerCase()];
  return found && port !== undefined ? { scheme: scheme.toLowerCase(), host: found.host, port } : null;
};

type Place = NonNullable<ReturnType<typeof placeOf>>;

const converter =
  (
    parametersOf: (endpoint: Endpoint, place: Place, common: CommonConditions) => Record<string, unknown>,
    type: string,
  ) =>
  (endpoint: Endpoint): Monitored | null => {
    const place = placeOf(endpoint.url);
    if (!place) {
      endpoint.note('has no host with a port in its address and is left out; write both as in tcp://example.com:5432.');
      return null;
    }
    const common = commonConditions(endpoint, place.host);
    const parameters = parametersOf(endpoint, place, common);
    const { host, port } = place;
    return { main: { type, host, port, parameters }, additional: common.additional, slowAfter: common.slowAfter };
  };

const noteAll = (endpoint: Endpoint, conditions: readonly Condition[], closest: string): void => {
  for (const condition of conditions) noteCondition(endpoint, condition, closest);
};

const noteCertificate = (endpoint: Endpoint, { certificate }: CommonConditions): void => {
  if (certificate !== null)
    endpoint.note('has a condition on the certificate; create an ssl check of the host for it.');
};

/** Sends the body of the endpoint and searches a text in the response. */
const conversation = (endpoint: Endpoint, { rest }: CommonConditions): Record<string, unknown> => {
  const body = textIn(endpoint.section, 'body');
  const { search_text, search_text_absent } = bodyText(endpoint, rest);
  if (search_text_absent !== undefined)
    endpoint.note('requires a text to be absent; a tcp check can only require that a text is there.');
  const others = rest.filter(({ subject, path, call }) => subject !== 'BODY' || path !== '' || call !== null);
  noteAll(endpoint, others, 'a tcp check can require that the server sends a text (search_text).');
  return {
    ...(body !== undefined && body !== '' && { send_text: body }),
    ...(search_text !== undefined && { search_text }),
  };
};

/** Converts a tcp:// endpoint to a tcp check. */
export const tcpEndpoint = converter((endpoint, _, common) => {
  noteCertificate(endpoint, common);
  return conversation(endpoint, common);
}, 'tcp');

const plainTls = converter((endpoint, _, common) => ({ tls: true, ...conversation(endpoint, common) }), 'tcp');

const certificate = converter((endpoint, { scheme }, { certificate: minimum, rest }) => {
  noteAll(endpoint, rest, 'an ssl check judges the certificate and the configuration of TLS.');
  return {
    ...(scheme === 'starttls' ? { starttls: 'smtp' } : { starttls: 'none' }),
    ...(minimum !== null && { assertions: { expiration_threshold: thresholdOf(minimum) } }),
  };
}, 'ssl');

/** Converts a tls:// endpoint to an ssl check if it has a condition on the certificate, else to a tcp check with TLS. */
export const tlsEndpoint = (endpoint: Endpoint): Monitored | null =>
  endpoint.conditions.some(({ subject }) => subject === 'CERTIFICATE_EXPIRATION')
    ? certificate(endpoint)
    : plainTls(endpoint);

/** Converts a starttls:// endpoint, which is always a mail server, to an ssl check. */
export const startTlsEndpoint = certificate;

/** Converts an ssh:// endpoint to a tcp check that requires the greeting of an SSH server. */
export const sshEndpoint = converter((endpoint, _, common) => {
  noteCertificate(endpoint, common);
  const { username } = (endpoint.section['ssh'] ?? {}) as { username?: unknown };
  if (typeof username === 'string' && username !== '')
    endpoint.note(
      'signs in by SSH; its check only requires the greeting of the SSH server. Use a heartbeat for the command.',
    );
  noteAll(endpoint, common.rest, 'Uptrail runs no commands by SSH; let the command ping a heartbeat.');
  return { search_text: 'SSH-' };
}, 'tcp');

/** Converts an endpoint of a protocol that Uptrail does not speak to a check of its port. */
const portOnly = (protocol: string) =>
  converter((endpoint, { scheme }, common) => {
    noteCertificate(endpoint, common);
    endpoint.note(
      `speaks ${protocol}; its check only connects to the port. A multistep check can do more in a script.`,
    );
    noteAll(endpoint, common.rest, 'a multistep check can test it in a script.');
    return scheme === 'wss' || scheme === 'grpcs' ? { tls: true } : {};
  }, 'tcp');

/** Converts a ws:// or wss:// endpoint to a check of its port. */
export const webSocketEndpoint = portOnly('WebSocket');

/** Converts a grpc:// or grpcs:// endpoint to a check of its port. */
export const grpcEndpoint = portOnly('gRPC');
