import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { ProxyRefusal } from './refusal.ts';

/** The target of a request. */
export interface HostAndPort {
  /** a name in ASCII (IDNA), or an address without brackets */
  host: string;
  port: number;
}

/** Maximum length of a DNS name with its final dot, in characters. */
const LONGEST_NAME = 254;

const invalid = (): ProxyRefusal =>
  new ProxyRefusal(
    400,
    'http_request_error',
    'The request does not name a host and a port that could be connected to.',
  );

/**
 * Parses `host:port`. Checks only the form. A spelling such as `0x7f.1` is interpreted later, when connecting.
 *
 * @param usual the default port; null if a port is required
 * @throws ProxyRefusal
 */
export const parseHostAndPort = (authority: string, usual: number | null): HostAndPort => {
  const [, inBrackets, plain = '', digits] =
    /^(?:\[([^\][]+)\]|([^\][:@/\\?#\s]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const port = digits === undefined ? usual : Number(digits);
  if (port === null || port < 1 || port > 65_535) throw invalid();
  if (inBrackets !== undefined) {
    // In a URL, the percent sign before the zone of an IPv6 address is written %25 (RFC 6874).
    const host = inBrackets.replace(/%25/, '%');
    if (isIP(host) !== 6) throw invalid();
    return { host, port };
  }
  const host = isIP(plain) === 4 ? plain : domainToASCII(plain);
  if (host === '' || host.length > LONGEST_NAME) throw invalid();
  return { host, port };
};

/** The target of a request in absolute form, `http://host:port/path?query`. */
export interface RequestTarget extends HostAndPort {
  /** host and port as in the request, for the field `Host` */
  authority: string;
  /** path and query */
  path: string;
}

/** Parses the URL of a request to the proxy. @throws ProxyRefusal */
export const parseRequestTarget = (url: string): RequestTarget => {
  const [, scheme, given, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  if (scheme === undefined || given === undefined)
    throw new ProxyRefusal(400, 'http_request_error', 'This is a proxy: requests to it name a whole URL.');
  if (scheme.toLowerCase() !== 'http')
    throw new ProxyRefusal(
      400,
      'http_request_error',
      `A URL that begins with ${scheme.slice(0, 20)}: needs a tunnel (CONNECT).`,
    );
  const authority = given.slice(given.lastIndexOf('@') + 1);
  return { ...parseHostAndPort(authority, 80), authority, path: rest.startsWith('/') ? rest : `/${rest}` };
};
