/** Maximum number of statuses. A domain can't have that many simultaneously (RFC 8056). */
export const MAX_STATUSES = 20;
const LONGEST = 200;

/** Shortens a registry's text and puts it on one line; returns null if it is empty. */
export const shortText = (text: string): string | null => {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\ufffd]+/gu, ' ').trim();
  if (line === '') return null;
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};

/** RDAP statuses that EPP spells differently (RFC 8056, 2). */
const EPP: ReadonlyMap<string, string> = new Map([
  ['active', 'ok'],
  ['associated', 'linked'],
]);

/** Converts an RDAP status to EPP spelling: "client transfer prohibited" to `clientTransferProhibited`. */
export const statusOf = (text: string): string => {
  const [first = '', ...words] = (shortText(text) ?? '').split(' ');
  if (words.length === 0) return EPP.get(first.toLowerCase()) ?? first;
  return [first.toLowerCase(), ...words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('');
};

/** Converts a status of a WHOIS response to EPP spelling, and removes the link to its explanation. */
export const whoisStatusOf = (text: string): string => {
  const plain = shortText(text.replace(/\(?https?:\/\/\S*/g, '')) ?? '';
  return EPP.get(plain.toLowerCase()) ?? plain;
};
