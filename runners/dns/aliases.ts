import type { DnsRecord, Message } from './client/message.ts';
import type { Rdata } from './client/rdata.ts';
import { dotted } from './present/text.ts';

/** A record that leads from a name to another one; both in their one spelling. */
export interface Alias {
  name: string;
  type: 'CNAME' | 'DNAME';
  target: string;
}

/** What a message says about a name, at the end of the aliases in it. */
export interface Followed {
  aliases: Alias[];
  /** the last name */
  name: string;
  /** those of the type at that name */
  records: DnsRecord[];
}

/** More than any resolver follows. */
export const MAX_ALIASES = 32;

const IN = 1;

type AliasRecord = DnsRecord & Extract<Rdata, { data: string }> & { type: Alias['type'] };

const isAlias = (record: DnsRecord): record is AliasRecord => record.type === 'CNAME' || record.type === 'DNAME';

/** Whether a name is in a zone or below another name; both in their one spelling. */
export const isBelow = (name: string, other: string): boolean =>
  other === '.'
    ? name !== '.'
    : name.endsWith(`.${other}`) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(name.slice(0, -other.length - 1));

/**
 * Follows the aliases within an answer, however its records are ordered. A loop ends where it is noticed: with no
 * records, at a name that is among the aliases.
 *
 * @param asked in its one spelling
 */
export const followed = ({ answers }: Pick<Message, 'answers'>, asked: string, type: string): Followed => {
  const owned = answers
    .filter((record) => record.class === IN)
    .map((record) => ({ owner: dotted(record.name), record }));
  const aliases: Alias[] = [];
  let name = asked;
  while (aliases.length < MAX_ALIASES) {
    const here = owned.filter(({ owner }) => owner === name).map(({ record }) => record);
    const records = here.filter((record) => record.type === type);
    if (records.length > 0) return { aliases, name, records };
    const next = nextAliases(name, here, owned);
    const target = targetOf(name, next);
    if (target === undefined) break;
    aliases.push(...next);
    if (aliases.some((alias) => alias.name === target)) return { aliases, name: target, records: [] };
    name = target;
  }
  return { aliases, name, records: [] };
};

/** The DNAME above a name, and the CNAME at it, which a server makes from that or which stands alone. */
const nextAliases = (
  name: string,
  here: readonly DnsRecord[],
  owned: readonly { owner: string; record: DnsRecord }[],
): Alias[] => {
  const above = owned.find(({ owner, record }) => record.type === 'DNAME' && isBelow(name, owner))?.record;
  const at = here.find((record) => record.type === 'CNAME');
  return [above, at].flatMap((record) =>
    record && isAlias(record) ? [{ name: dotted(record.name), type: record.type, target: dotted(record.data) }] : [],
  );
};

/** Where they lead to; a DNAME alone exchanges the end of the name (RFC 6672, 2.2). */
const targetOf = (name: string, next: readonly Alias[]): string | undefined => {
  const last = next.at(-1);
  if (last?.type !== 'DNAME') return last?.target;
  const kept = name.slice(0, name.length - (last.name === '.' ? 0 : last.name.length));
  return `${kept}${last.target === '.' ? '' : last.target}`;
};
