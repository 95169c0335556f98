import { isBelow } from '../../network/dns/aliases.ts';
import type { Asker } from './asking.ts';
import type { DnsRecord, Message } from '../../network/dns/message.ts';
import { dotted } from '../../network/dns/spelling.ts';

const isAtOrAbove = (owner: string, name: string): boolean => owner === name || isBelow(name, owner);

const ownerOf = (record: DnsRecord): string => dotted(record.name);

/** Where the zone of a name starts, by the SOA record with which a message denies something; undefined without one. */
export const startOf = ({ authorities }: Message, name: string): string | undefined =>
  authorities
    .filter(({ type }) => type === 'SOA')
    .map(ownerOf)
    .find((owner) => isAtOrAbove(owner, name));

/** The zone whose servers a message refers to, and these; undefined if it is no referral. */
export const referralOf = ({
  authoritative,
  authorities,
}: Message): { zone: string; servers: string[] } | undefined => {
  if (authoritative || authorities.some(({ type }) => type === 'SOA')) return undefined;
  const [first] = authorities.filter(({ type }) => type === 'NS').map(ownerOf);
  return first === undefined ? undefined : { zone: first, servers: nameServers(authorities, first) };
};

const nameServers = (records: readonly DnsRecord[], zone: string): string[] =>
  [
    ...new Set(
      records.flatMap((record) => (record.type === 'NS' && ownerOf(record) === zone ? [dotted(record.data)] : [])),
    ),
  ].sort();

/** Few names above a name have to be asked for, since answers name the zone. */
const MAX_QUESTIONS = 10;

/**
 * The name servers of the zone that a name is in, found by walking up from it; empty if they are not found. The questions
 * go without validation, since a zone with wrong signatures has name servers, too.
 *
 * When the run ends, it rejects with the signal's reason.
 */
export const authoritativeNameservers = async (name: string, asker: Asker): Promise<string[]> => {
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
    const start = startOf(message, zone);
    const next = start === undefined || start === zone ? parentOf(zone) : start;
    if (next === undefined) return [];
    zone = next;
  }
  return [];
};

/** The name above; none above the root. */
const parentOf = (name: string): string | undefined =>
  name === '.' ? undefined : name.replace(/^(?:\\.|[^\\.])*\./s, '') || '.';
