import type { DnsRecord, DnsMessage } from './message.ts';
import type { Rdata } from './rdata.ts';
import { canonicalName } from './canonical-names.ts';

/** A CNAME or DNAME record; both names in canonical spelling. */
export interface Alias {
  name: string;
  type: 'CNAME' | 'DNAME';
  target: string;
}

/** The result of following the aliases of a name within a message. */
export interface FollowedAliases {
  aliases: Alias[];
  /** the last name */
  name: string;
  /** records of the requested type at that name */
  records: DnsRecord[];
  /** the aliases form a loop, or more than 32 follow each other */
  endless: boolean;
}

/** More aliases than any resolver follows. */
const MAX_ALIASES = 32;

const IN = 1;

type AliasRecord = DnsRecord & Extract<Rdata, { data: string }> & { type: Alias['type'] };

const isAlias = (record: DnsRecord): record is AliasRecord => record.type === 'CNAME' || record.type === 'DNAME';

/** Whether a name is in a zone or below another name; both in canonical spelling. */
export const isBelow = (name: string, other: string): boolean =>
  other === '.'
    ? name !== '.'
    : name.endsWith(`.${other}`) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(name.slice(0, -other.length - 1));

/**
 * Follows the aliases within a response, in whatever order its records are.
 *
 * @param asked in canonical spelling
 * @param left the names that aliases have already replaced, in this response and in earlier ones; new ones are added
 */
export const followAliases = (
  { answers }: Pick<DnsMessage, 'answers'>,
  asked: string,
  type: string,
  left: Set<string>,
): FollowedAliases => {
  const owned = answers
    .filter((record) => record.class === IN)
    .map((record) => ({ owner: canonicalName(record.name), record }));
  const aliases: Alias[] = [];
  let name = asked;
  for (;;) {
    const here = owned.filter(({ owner }) => owner === name).map(({ record }) => record);
    const above = aliasOf(owned.find(({ owner, record }) => record.type === 'DNAME' && isBelow(name, owner))?.record);
    if (above) aliases.push(above);
    const records = here.filter((record) => record.type === type);
    if (records.length > 0) return { aliases, name, records, endless: false };
    // Servers should add a CNAME to a DNAME, but it may be missing.
    const at = aliasOf(here.find((record) => record.type === 'CNAME'));
    if (at) aliases.push(at);
    const target = at?.target ?? (above && exchanged(name, above));
    if (target === undefined) return { aliases, name, records: [], endless: false };
    left.add(name);
    name = target;
    if (left.has(target) || left.size >= MAX_ALIASES) return { aliases, name, records: [], endless: true };
  }
};

const aliasOf = (record: DnsRecord | undefined): Alias | undefined =>
  record && isAlias(record)
    ? { name: canonicalName(record.name), type: record.type, target: canonicalName(record.data) }
    : undefined;

/** Replaces the end of a name by a DNAME's target (RFC 6672, 2.2). */
const exchanged = (name: string, { name: owner, target }: Alias): string =>
  `${name.slice(0, name.length - (owner === '.' ? 0 : owner.length))}${target === '.' ? '' : target}`;
