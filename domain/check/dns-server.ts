import { parseHostAndPort } from './host.ts';

/** A DNS server and its transport. */
export interface DnsServer {
  /** the text that the user entered; for `https`, the URL of the server */
  text: string;
  /**
   * `plain`: UDP, or TCP if the answer is too long for UDP; `tls`: DNS over TLS (RFC 7858); `https`: DNS over HTTPS
   * (RFC 8484)
   */
  transport: 'plain' | 'tls' | 'https';
  /** a host name, or an IP address without brackets */
  host: string;
  port: number;
}

export const DNS_SERVER_SENTENCE =
  'Must be an IP address or a host name, with or without a port (192.0.2.1, [2001:db8::1]:5353, ns1.example.com:53), ' +
  'tls://host or tls://host:port, or https://host/path.';

/** Parses an element of `dns_servers`; null if the text is invalid. */
export const parseDnsServer = (text: string): DnsServer | null => {
  if (/^https:\/\//i.test(text)) return overHttps(text);
  const [, scheme, rest = text] = /^(tls:\/\/)(.*)$/i.exec(text) ?? [];
  const transport = scheme === undefined ? 'plain' : 'tls';
  const place = parseHostAndPort(rest);
  return place && { text, transport, host: place.host, port: place.port ?? DEFAULT_PORTS[transport] };
};

const DEFAULT_PORTS = { plain: 53, tls: 853 } as const;

const overHttps = (text: string): DnsServer | null => {
  if (!URL.canParse(text)) return null;
  const { hostname, port, hash, username, password } = new URL(text);
  if (hash !== '' || username !== '' || password !== '') return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { text, transport: 'https', host, port: port === '' ? 443 : Number(port) };
};
