import type { Finding } from './events.ts';
import type { RequiredRecord } from './records.ts';

/** The result of a DNS look-up of the TXT records of a name. */
export type TextAnswer =
  /** each record as one string; empty if the name or TXT records for it do not exist */
  | { known: true; texts: readonly string[] }
  /** the look-up gave no definite answer; `reason` is a sentence */
  | { known: false; reason: string };

/** Compares a required record with the result of its look-up. The outcome is `wrong` only for a definite difference. */
export const judgeRecord = (wanted: RequiredRecord, answer: TextAnswer): Finding => {
  const { purpose } = wanted;
  if (!answer.known) return { purpose, outcome: 'unknown', problem: answer.reason };
  const problem = RULES[purpose](wanted, answer.texts);
  return { purpose, outcome: problem === null ? 'found' : 'wrong', problem };
};

/** Returns the problem of a record as a sentence; null if there is none. */
type Rule = (wanted: RequiredRecord, texts: readonly string[]) => string | null;

const none = ({ name }: RequiredRecord): string => `There is no such TXT record at ${name}.`;
/**
 * DKIM (RFC 6376, 3.6.1). White space is ignored. There must be exactly one key, and it must equal the required one.
 */
const dkim: Rule = (wanted, texts) => {
  const keys = texts.map(tagsOf).filter((tags) => tags.has('p') && (tags.get('v') ?? 'DKIM1') === 'DKIM1');
  const [tags, ...others] = keys;
  if (!tags) return none(wanted);
  if (others.length > 0) return `There are ${keys.length} DKIM records at ${wanted.name}, but only one is allowed.`;
  const key = tags.get('p') ?? '';
  if (key === '') return `The key at ${wanted.name} is revoked: p= is empty.`;
  if (key !== tagsOf(wanted.value).get('p')) return `The key at ${wanted.name} is not the expected key.`;
  if ((tags.get('k') ?? 'rsa').toLowerCase() !== 'rsa') return `The record at ${wanted.name} must have k=rsa.`;
  if (!allows(tags.get('h'), 'sha256')) return `The record at ${wanted.name} does not allow sha256 (h=).`;
  if (!allows(tags.get('s'), 'email', '*')) return `The record at ${wanted.name} does not allow e-mail (s=).`;
  return null;
};

/** Whether a colon-separated list contains one of the words. Without a list, everything is allowed. */
const allows = (list: string | undefined, ...words: readonly string[]): boolean =>
  list === undefined ||
  list
    .toLowerCase()
    .split(':')
    .some((word) => words.includes(word));

/**
 * SPF (RFC 7208, 4.5). There must be exactly one record. It must contain the `include:` mechanism of the recommended
 * record, and may contain other mechanisms.
 */
const spf: Rule = (wanted, texts) => {
  const policies = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [policy, ...others] = policies;
  if (policy === undefined) return `There is no SPF record at ${wanted.name}.`;
  if (others.length > 0) return `There are ${policies.length} SPF records at ${wanted.name}, but only one is allowed.`;
  const [, needed = ''] = wanted.value.split(' ');
  const terms = policy.toLowerCase().split(/ +/);
  if (!needed.startsWith('include:') || terms.includes(needed) || terms.includes(`+${needed}`)) return null;
  return `The SPF record at ${wanted.name} does not have ${needed}.`;
};

/** DMARC (RFC 7489, 6.6.3). There must be exactly one record, with any policy. */
const dmarc: Rule = (wanted, texts) => {
  const policies = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  const [policy, ...others] = policies;
  if (policy === undefined) return `There is no DMARC record at ${wanted.name}.`;
  if (others.length > 0)
    return `There are ${policies.length} DMARC records at ${wanted.name}, but only one is allowed.`;
  return tagsOf(policy).has('p') ? null : `The DMARC record at ${wanted.name} has no policy (p=).`;
};

/** Several status pages may share a domain, so ownership records of other pages are allowed. */
const ownership: Rule = (wanted, texts) => (texts.some((text) => text.trim() === wanted.value) ? null : none(wanted));

const RULES = { dkim, spf, dmarc, ownership } as const satisfies Record<Finding['purpose'], Rule>;

/** Parses `tag=value; tag=value`. White space in values is removed. If a tag is repeated, the first value counts. */
const tagsOf = (text: string): ReadonlyMap<string, string> => {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const tag = part.slice(0, at).trim();
    if (!tags.has(tag)) tags.set(tag, part.slice(at + 1).replace(/\s+/g, ''));
  }
  return tags;
};
