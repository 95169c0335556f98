import { lookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { isIP } from 'node:net';
import { devNull } from 'node:os';

export interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * Resolves a host name to addresses, in the order in which to try them; an IP address resolves to itself. Rejects with
 * the system's error (`ENOTFOUND`, `EAI_AGAIN`, …) if there is none.
 */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * Resolves with the system, without a cache: hosts file, search domains and name servers as for every other program.
 * Rejects with the missing resource (`EMFILE`) if the machine can't.
 */
export const systemResolve: Resolve = async (host) => {
  if (isIP(host) !== 0) return [{ address: host, family: familyOf(host) }];
  try {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address }) => ({ address, family: familyOf(address) }));
  } catch (error) {
    throw shortOfDescriptors() ?? error;
  }
};

/** More file descriptors than one look-up opens. */
const SPARE_DESCRIPTORS = 16;

/**
 * An error if the process is almost out of file descriptors, otherwise null. Without descriptors, getaddrinfo can
 * neither read the hosts file nor query a server, and reports that the host does not exist.
 */
const shortOfDescriptors = (): Error | null => {
  const opened: number[] = [];
  try {
    for (let count = 0; count < SPARE_DESCRIPTORS; count++) opened.push(openSync(devNull, 'r'));
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
};
