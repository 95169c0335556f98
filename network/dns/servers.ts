import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { parseDnsServer } from '../../domain/check/dns-server.ts';
import { LocalFailure } from '../local-failure.ts';
import type { NameServer } from './query-outcome.ts';

/** Maximum number of servers that the C library uses (resolv.conf(5)). */
const MAX_SYSTEM_SERVERS = 3;

/**
 * Returns the name servers in a check's definition. The target policy applies to these servers. Invalid texts are
 * skipped; validated definitions contain no invalid texts.
 */
export const serversOfCheck = (texts: readonly string[]): NameServer[] =>
  texts.flatMap((text) => {
    const server = parseDnsServer(text);
    return server ? [{ ...server, isPolicyApplied: true }] : [];
  });

/**
 * Reads the name servers of this machine from `/etc/resolv.conf`, anew at each call. The search list and the options in
 * this file do not apply to checks. If the file names no server, returns the loopback address, as the C library does.
 *
 * @throws LocalFailure the file can't be read
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
