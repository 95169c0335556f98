import type { TextAnswer } from '../../domain/email-domain/record-check.ts';
import { parseDnsServer } from '../../domain/check/dns-server.ts';
import type { NetworkContext } from '../context.ts';
import { LocalFailure } from '../local-failure.ts';
import { followAliases } from './aliases.ts';
import type { AnsweredQuery, NameServer } from './query-outcome.ts';
import { queryServers } from './query-servers.ts';
import { NotADomainName } from './no-answer.ts';
import { parseName } from './canonical-names.ts';

/** Time limit for looking up one name, including all servers and aliases, in milliseconds. */
const WITHIN_MS = 5_000;

/**
 * Returns the name servers that the operator has chosen. No target policy applies to these servers. Invalid texts are
 * skipped.
 */
export const serversOfOperator = (texts: readonly string[]): NameServer[] =>
  texts.flatMap((text) => {
    const server = parseDnsServer(text);
    return server ? [{ ...server, isPolicyApplied: false }] : [];
  });

/**
 * Looks up the TXT records of a name and follows the aliases of the name. Reports "no records" only if a server says
 * that the name has none. If a server fails, refuses or only returns a referral, the next server is queried.
 *
 * @returns the texts, or the reason why the texts are unknown. Never rejects because of the servers or this machine.
 */
export const lookUpTxtRecords = async (
  name: string,
  servers: () => Promise<readonly NameServer[]>,
  context: NetworkContext,
): Promise<TextAnswer> => {
  const asked = parseName(name);
  if (asked === undefined) return unknown(`${name} is not a domain name.`);
  try {
    return await askAll(asked, await servers(), context);
  } catch (error) {
    if (error instanceof NotADomainName) return unknown(`The aliases of ${name} lead to what is not a domain name.`);
    if (error instanceof LocalFailure) return unknown("Name servers can't be asked at present.");
    throw error;
  }
};

const unknown = (reason: string): TextAnswer => ({ known: false, reason });

const askAll = async (asked: string, servers: readonly NameServer[], context: NetworkContext): Promise<TextAnswer> => {
  const until = context.clock.monotonic() + WITHIN_MS;
  const left = new Set<string>();
  let name = asked;
  let remaining = servers;
  let reason = 'No name server is known.';
  while (remaining.length > 0) {
    const within = Math.max(0, until - context.clock.monotonic());
    const answered = await queryServers({ name, type: 'TXT' }, remaining, { timeLimit: within }, context);
    if (!answered.answered) return unknown(`The name servers gave no answer for ${shown(name)}.`);
    const { message, server } = answered;
    const end = followAliases(message, name, 'TXT', left);
    if (end.endless) return unknown(`The aliases of ${shown(name)} have no end.`);
    if (end.records.length > 0) {
      return {
        known: true,
        texts: end.records.flatMap((record) => (record.type === 'TXT' ? joined(record.data) : [])),
      };
    }
    if (saysNone(answered)) {
      if (message.rcode === 'NXDOMAIN' || end.name === name || hasStart(answered)) return { known: true, texts: [] };
      name = end.name;
      remaining = servers;
      continue;
    }
    const said = message.rcode === 'NOERROR' ? 'only refer to others' : `answer ${message.rcode}`;
    reason = `The name servers ${said} for ${shown(name)}.`;
    remaining = remaining.filter((one) => one !== server);
  }
  return unknown(reason);
};

/**
 * Removes the final dot of a name, for error messages. The error messages omit the names of the servers, because the
 * operator may not want to publish these names.
 */
const shown = (name: string): string => name.replace(/\.$/, '');

/** Joins the strings of a record into one text (RFC 7208, 3.3; RFC 6376, 3.6.2.2). */
const joined = (strings: readonly Buffer[]): string => Buffer.concat(strings).toString('utf8');

/**
 * Returns whether a response without records proves that there are none. The response proves this if the server is
 * authoritative or offers recursion.
 */
const saysNone = ({ message: { rcode, authoritative, recursionAvailable } }: AnsweredQuery): boolean =>
  (rcode === 'NOERROR' || rcode === 'NXDOMAIN') && (authoritative || recursionAvailable);

/**
 * Returns whether the response has an SOA record. If a response contains an alias and an SOA record, it also covers the
 * alias's target (RFC 2308, 2.1).
 */
const hasStart = ({ message }: AnsweredQuery): boolean => message.authorities.some(({ type }) => type === 'SOA');
