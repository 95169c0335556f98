import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * The addresses of a host name, in the order in which they are to be tried; an IP address is its own.
 * Rejects with the system's error (`ENOTFOUND`, `EAI_AGAIN`, …) when there is none.
 */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * Asks the system, anew each time: hosts file, search domains and name servers as for every other
 * program of the machine.
 */
export const systemResolve: Resolve = async (host) => {
  if (isIP(host) !== 0) return [{ address: host, family: familyOf(host) }];
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => ({ address, family: familyOf(address) }));
};
