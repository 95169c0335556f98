import { lookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { isIP } from 'node:net';
import { devNull } from 'node:os';

export interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * Resolves a host name to addresses, in the order in which to try them. An IP address resolves to itself. Rejects with
 * the system's error (`ENOTFOUND`, `EAI_AGAIN`, …) if there is no address.
 */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * Resolves a host name with the system's resolver, without a cache. The hosts file, search domains and name servers
 * apply as for any other program. If the machine lacks a resource for the look-up, rejects with the corresponding code
 * (`EMFILE`).
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

/** Number of file descriptors that must be free; one look-up opens fewer. */
const SPARE_DESCRIPTORS = 16;

/**
 * Returns an error if the process is almost out of file descriptors, and otherwise null. Without enough descriptors,
 * getaddrinfo can neither read the hosts file nor query a server, and reports that the host does not exist. This check
 * prevents such a wrong report.
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
