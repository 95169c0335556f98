import { isBelow } from '../../network/dns/aliases.ts';
import type { QueryServers } from './queries.ts';
import type { DnsRecord, DnsMessage } from '../../network/dns/message.ts';
import { canonicalName } from '../../network/dns/canonical-names.ts';

const isAtOrAbove = (owner: string, name: string): boolean => owner === name || isBelow(name, owner);

const ownerOf = (record: DnsRecord): string => canonicalName(record.name);

/**
 * Returns the top of the zone that contains `name`, from the SOA record of a response; undefined if the response has
 * none.
 */
export const zoneStartOf = ({ authorities }: DnsMessage, name: string): string | undefined =>
  authorities
    .filter(({ type }) => type === 'SOA')
    .map(ownerOf)
    .find((owner) => isAtOrAbove(owner, name));

/** Returns the zone that a message refers to, with its name servers; undefined if the message is not a referral. */
export const referralOf = ({
  authoritative,
  authorities,
}: DnsMessage): { zone: string; servers: string[] } | undefined => {
  if (authoritative || authorities.some(({ type }) => type === 'SOA')) return undefined;
  const [first] = authorities.filter(({ type }) => type === 'NS').map(ownerOf);
  return first === undefined ? undefined : { zone: first, servers: nameServers(authorities, first) };
};

const nameServers = (records: readonly DnsRecord[], zone: string): string[] =>
  [
    ...new Set(
      records.flatMap((record) =>
        record.type === 'NS' && ownerOf(record) === zone ? [canonicalName(record.data)] : [],
      ),
    ),
  ].sort();

/** Maximum number of queries. A few are enough, because negative responses name the top of the zone. */
const MAX_QUESTIONS = 10;

/**
 * Finds the name servers of the zone that contains a name: queries the name, then its parents. Returns an empty array
 * if it finds none. Queries without DNSSEC validation, because a zone with wrong signatures has name servers too.
 *
 * When the run is aborted, rejects with the reason of the run's signal.
 */
export const authoritativeNameservers = async (name: string, asker: QueryServers): Promise<string[]> => {
  let zone = name;
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    const answered = await asker({ name: zone, type: 'NS' }, { checkingDisabled: true });
    if (!answered.answered) return [];
    const { message } = answered;
    if (!['NOERROR', 'NXDOMAIN'].includes(message.rcode)) return [];
    const found = nameServers(message.answers, zone);
    if (found.length > 0) return found;
    const referral = referralOf(message);
    if (referral && isAtOrAbove(referral.zone, zone)) return referral.servers;
    const start = zoneStartOf(message, zone);
    const next = start === undefined || start === zone ? parentOf(zone) : start;
    if (next === undefined) return [];
    zone = next;
  }
  return [];
};

/** Returns the parent of a name; undefined for the root. */
const parentOf = (name: string): string | undefined =>
  name === '.' ? undefined : name.replace(/^(?:\\.|[^\\.])*\./s, '') || '.';
