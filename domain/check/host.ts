import ipaddr from 'ipaddr.js';
import { isBlank } from '../text.ts';

/** Matches a host name or an IPv4 address. It contains no colon, and so no port. */
const NAME = '[^\\s/?#@:\\[\\]]+';
const ADDRESS_V6 = '[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?:%[^\\s/?#@:\\[\\]]+)?';

/** A regular expression for schemas. It matches every text that {@link isHost} accepts, and a few that it rejects. */
export const HOST_PATTERN = `^(?:${NAME}|${ADDRESS_V6}|\\[${ADDRESS_V6}\\])$`;

/** Whether a text is a host name or an IP address, without a port. Brackets around an IPv6 address are optional. */
export const isHost = (text: string): boolean =>
  (new RegExp(`^${NAME}$`).test(text) && !isBlank(text)) || ipaddr.IPv6.isValid(text.replace(/^\[(.*)\]$/, '$1'));

export const HOST_SENTENCE = 'Must be a host name or an IP address, without a port.';

/** A host with an optional port. */
export interface HostAndPort {
  /** without brackets */
  host: string;
  port: number | null;
}

/** Parses `host`, `host:port`, an IPv6 address or `[IPv6 address]:port`; null for any other text. */
export const parseHostAndPort = (text: string): HostAndPort | null => {
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text);
  if (!found) return ipaddr.IPv6.isValid(text) ? { host: text, port: null } : null;
  const [, bracketed, name, digits] = found;
  const host = bracketed ?? name ?? '';
  if (bracketed === undefined ? !isHost(host) : !ipaddr.IPv6.isValid(host)) return null;
  const port = digits === undefined ? null : Number(digits);
  return port === 0 || (port ?? 1) > 65_535 ? null : { host, port };
};
