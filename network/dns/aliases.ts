import type { DnsRecord, DnsMessage } from './message.ts';
import type { Rdata } from './rdata.ts';
import { canonicalName } from './canonical-names.ts';

/** A CNAME or DNAME record. Both names are in canonical spelling. */
export interface Alias {
  name: string;
  type: 'CNAME' | 'DNAME';
  target: string;
}

/** The result of following the aliases of a name within one message. */
export interface FollowedAliases {
  aliases: Alias[];
  /** the name at the end of the aliases */
  name: string;
  /** records of the requested type at that name */
  records: DnsRecord[];
  /** whether the aliases form a loop or are more than 32 */
  endless: boolean;
}

/** Maximum number of aliases to follow; no resolver follows as many. */
const MAX_ALIASES = 32;

const IN = 1;

type AliasRecord = DnsRecord & Extract<Rdata, { data: string }> & { type: Alias['type'] };

const isAlias = (record: DnsRecord): record is AliasRecord => record.type === 'CNAME' || record.type === 'DNAME';

/**
 * Returns whether `name` is a subdomain of `other`: `a.example.` is below `example.`. Both are in canonical spelling.
 */
export const isBelow = (name: string, other: string): boolean =>
  other === '.'
    ? name !== '.'
    : name.endsWith(`.${other}`) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(name.slice(0, -other.length - 1));

/**
 * Follows the aliases within a response. The order of the records does not matter.
 *
 * @param asked the requested name, in canonical spelling
 * @param left the names that aliases have replaced so far, in this response and in earlier responses. The function adds
 * to this set.
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
    // Servers should send a DNAME together with the CNAME that follows from it, but some send only the DNAME.
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

/** Replaces the end of a name by the target of a DNAME (RFC 6672, 2.2). */
const exchanged = (name: string, { name: owner, target }: Alias): string =>
  `${name.slice(0, name.length - (owner === '.' ? 0 : owner.length))}${target === '.' ? '' : target}`;
