import { isIP, SocketAddress } from 'node:net';

/** Returns an address in the spelling of `inet_ntop`, which all tools use; undefined if it is of another family. */
export const spelledAddress = (text: string, family: 4 | 6): string | undefined =>
  isIP(text) === family && !text.includes('%')
    ? new SocketAddress({ family: `ipv${family}`, address: text }).address
    : undefined;

/** Formats an address. @param bytes 4 bytes (IPv4) or 16 bytes (IPv6) */
export const addressOf = (bytes: Buffer): string =>
  bytes.length === 4
    ? bytes.join('.')
    : (spelledAddress((bytes.toString('hex').match(/.{4}/g) ?? []).join(':'), 6) ?? '');
