import { lookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { isIP } from 'node:net';
import { devNull } from 'node:os';

export interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * The addresses of a host name, in the order in which to try them; an IP address is its own.
 * Rejects with the system's error (`ENOTFOUND`, `EAI_AGAIN`, …) when there is none.
 */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * Asks the system, anew each time: hosts file, search domains and name servers as for every other
 * program on the machine. If the machine can't, it rejects with what it lacks (`EMFILE`).
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

/** More file descriptors than a look-up opens at once. */
const SPARE_DESCRIPTORS = 16;

/**
 * The system's error if the process is almost out of file descriptors, otherwise null. getaddrinfo can then
 * neither read the hosts file nor ask anybody, and reports that there is no such host.
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
