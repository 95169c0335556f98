import { explainConnectFailure } from '../../../network/not-connected.ts';

/** An error response that the proxy sends instead of a response of the target. The message is a sentence. */
export class ProxyRefusal extends Error {
  readonly status: Status;
  readonly kind: Kind;

  constructor(status: Status, kind: Kind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'ProxyRefusal';
    this.status = status;
    this.kind = kind;
  }
}

type Status = 400 | 403 | 431 | 502 | 503 | 504;

/** Error types of proxies (RFC 9209, 2.3) for the response field `Proxy-Status`. */
type Kind =
  | 'destination_ip_prohibited'
  | 'http_request_denied'
  | 'http_request_error'
  | 'connection_limit_reached'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_timeout'
  | 'connection_terminated'
  | 'http_protocol_error'
  | 'http_response_timeout'
  | 'proxy_internal_error';

export const REASONS: Readonly<Record<Status, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Converts an error of connecting to a target to a refusal. */
export const notConnected = (error: unknown): ProxyRefusal => {
  if (error instanceof ProxyRefusal) return error;
  const why = explainConnectFailure(error);
  if (why?.reason === 'target') return new ProxyRefusal(403, 'destination_ip_prohibited', why.sentence);
  if (why) return new ProxyRefusal(502, why.reason === 'lookup' ? 'dns_error' : 'connection_refused', why.sentence);
  return new ProxyRefusal(502, 'proxy_internal_error', "This runner can't open connections at present.", {
    cause: error,
  });
};

/** Returns the fields and the text of an error response. */
export const refusalResponse = ({ kind, message }: ProxyRefusal): { headers: Record<string, string>; body: string } => {
  const body = `${message}\n`;
  return {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(body).toString(),
      'Proxy-Status': `sandbox; error=${kind}`,
      Connection: 'close',
    },
    body,
  };
};

/** Returns a complete error response as text, for connections that Node.js no longer treats as HTTP. */
export const refusalBytes = (refused: ProxyRefusal): string => {
  const { headers, body } = refusalResponse(refused);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refused.status} ${REASONS[refused.status]}\r\n${fields.join('')}\r\n${body}`;
};
