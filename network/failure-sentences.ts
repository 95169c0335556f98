import { isIPv6 } from 'node:net';
import type { Address } from './resolve.ts';

/** A failed attempt to connect to an address. */
export interface FailedAttempt {
  address: Address;
  /** the system's code: `ECONNREFUSED`, `EHOSTUNREACH`, … */
  code: string;
}

/** Formats an address and a port: `127.0.0.1:443`, `[::1]:443`. */
export const peerOf = (address: string, port: number): string =>
  `${isIPv6(address) ? `[${address}]` : address}:${port}`;

/**
 * Error codes of the system, getaddrinfo and c-ares which mean that this machine lacks a resource or a network. Such an
 * error says nothing about the target.
 */
const OWN_TROUBLE: ReadonlySet<string> = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN', 'EADDRINUSE', 'EADDRNOTAVAIL', 'ENETDOWN'],
  ...['EAI_MEMORY', 'EAI_SYSTEM', 'EAI_OVERFLOW', 'EAI_CANCELED'],
  ...['EFILE', 'ECANCELLED', 'EDESTRUCTION', 'ENOTINITIALIZED', 'ELOADIPHLPAPI', 'EADDRGETNETWORKPARAMS'],
]);

/** Returns whether the runner caused an error, rather than the target. */
export const isLocalFailure = (code: string): boolean => OWN_TROUBLE.has(code);

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by',
  ECONNRESET: 'Connection reset by',
  ETIMEDOUT: 'No answer from',
  EHOSTUNREACH: 'No route to',
  ENETUNREACH: 'No route to',
  EADDRNOTAVAIL: 'No route to',
  EHOSTDOWN: 'No answer from',
  EACCES: 'Connecting is not permitted to',
  EPERM: 'Connecting is not permitted to',
};

const groupedBySentence = (attempts: readonly FailedAttempt[], port: number): Map<string, string[]> => {
  const groups = new Map<string, string[]>();
  for (const { address, code } of attempts) {
    const words = CONNECT[code] ?? `Connecting failed (${code}) to`;
    const peers = groups.get(words) ?? [];
    groups.set(words, [...peers, peerOf(address.address, port)]);
  }
  return groups;
};

/** Explains why no address accepted a connection: "Connection refused by 127.0.0.1:81." */
export const connectSentence = (attempts: readonly FailedAttempt[], port: number): string =>
  `${[...groupedBySentence(attempts, port)].map(([words, peers]) => `${words} ${peers.join(' and ')}`).join('; ')}.`;

const LOOKUP: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `The host name ${host} was not found.`,
  ENODATA: (host) => `The host name ${host} has no address.`,
  EAI_NODATA: (host) => `The host name ${host} has no address.`,
  EAI_AGAIN: (host) => `The name servers gave no answer for ${host}.`,
  ESERVFAIL: (host) => `The name servers could not answer for ${host}.`,
  ETIMEOUT: (host) => `The name servers gave no answer for ${host}.`,
  EINVAL: (host) => `${host} is not a host name.`,
};

/** Explains why a host name could not be looked up. */
export const lookupSentence = (host: string, code: string): string =>
  LOOKUP[code]?.(host) ?? `The host name ${host} could not be looked up (${code}).`;
