import ipaddr from 'ipaddr.js';
import { isBlank } from '../text.ts';

/** A host name or an IPv4 address: no colon, so no port beside it. */
const NAME = '[^\\s/?#@:\\[\\]]+';
const ADDRESS_V6 = '[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?:%[^\\s/?#@:\\[\\]]+)?';

/** Matches every {@link isHost}, and little else. */
export const HOST_PATTERN = `^(?:${NAME}|${ADDRESS_V6}|\\[${ADDRESS_V6}\\])$`;

/** Whether a text is a host name or an IP address, without a port; an IPv6 address may be in brackets. */
export const isHost = (text: string): boolean =>
  (new RegExp(`^${NAME}$`).test(text) && !isBlank(text)) || ipaddr.IPv6.isValid(text.replace(/^\[(.*)\]$/, '$1'));

export const HOST_SENTENCE = 'Must be a host name or an IP address, without a port.';
