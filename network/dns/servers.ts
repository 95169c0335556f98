import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { parseDnsServer } from '../../domain/check/dns-server.ts';
import { LocalFailure } from '../local-failure.ts';
import type { NameServer } from './query-outcome.ts';

/** The number of servers that the C library uses (resolv.conf(5)). */
const MAX_SYSTEM_SERVERS = 3;

/**
 * The name servers that a check lists; the target policy applies to them. Skips invalid ones, which definitions don't
 * have.
 */
export const serversOfCheck = (texts: readonly string[]): NameServer[] =>
  texts.flatMap((text) => {
    const server = parseDnsServer(text);
    return server ? [{ ...server, isPolicyApplied: true }] : [];
  });

/**
 * The system's name servers, read again at each call; search list and options don't apply to checks. If there are none,
 * queries this machine's own server, as the C library does.
 *
 * @throws LocalFailure the list can't be read
 */
export const systemServers = async (file = '/etc/resolv.conf'): Promise<NameServer[]> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new LocalFailure(`The runner can't read its list of name servers (${file}).`, { cause: error });
  });
  const addresses = [...text.matchAll(/^nameserver[ \t]+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => isIP(address) !== 0)
    .slice(0, MAX_SYSTEM_SERVERS);
  return (addresses.length > 0 ? addresses : ['127.0.0.1']).map((host) => ({
    text: host,
    transport: 'plain',
    host,
    port: 53,
    isPolicyApplied: false,
  }));
};
