/** An answer of a mail server that refuses something. */
export interface Refusal {
  /** of three digits (RFC 5321, 4.2); null if only the other one is known */
  code: number | null;
  /** `5.1.1` (RFC 3463); null if it said none */
  enhanced: string | null;
  /** what it said, for people */
  text: string;
}

/**
 * What a refusal is about: the address, which is no good for any message; its mailbox, which is full; the message,
 * which is too large; or something else, such as its content, its sender, or the policy of the server.
 */
export type RefusedFor = 'recipient' | 'mailbox_full' | 'too_large' | 'refused';

const NOT_THE_ADDRESS: ReadonlySet<string> = new Set(['mailbox_full', 'too_large', 'refused'] satisfies RefusedFor[]);

/** Whether a message that was refused for good, for this reason, says that its receiver can't be reached at all. */
export const isAboutReceiver = (reason: string): boolean => !NOT_THE_ADDRESS.has(reason);

/** What enhanced codes are about, by subject and detail; those that are absent are about the address. */
const BY_DETAIL: Readonly<Record<string, RefusedFor>> = {
  '1.7': 'refused',
  '1.8': 'refused',
  '2.2': 'mailbox_full',
  '2.3': 'too_large',
  '3.1': 'mailbox_full',
  '3.2': 'refused',
  '3.3': 'refused',
  '3.4': 'too_large',
  '3.5': 'refused',
  '4.3': 'refused',
  '4.5': 'refused',
  '4.6': 'refused',
  '4.7': 'refused',
};
/** Protocol, content and policy. `5.0` says nothing more than `0.0`. */
const REFUSED_SUBJECTS = /^(?:5\.(?!0$)|6\.|7\.)/;

/** Codes for a mailbox that does not exist, is elsewhere, or whose domain takes no mail (RFC 5321; RFC 7504). */
const NO_MAILBOX: ReadonlySet<number> = new Set([550, 551, 553, 556]);
/** Servers that say no enhanced code use the same codes for senders that they don't like. */
const ABOUT_SENDER = /relay|spam|block|black|reject list|policy|spf|dkim|dmarc|reputation|sender|authenticat|content/i;

/**
 * What a refusal is about.
 *
 * @param of whether the recipient was refused, or the message: before it was sent, by its size, or after it
 */
export const refusedFor = ({ code, enhanced, text }: Refusal, of: 'recipient' | 'message'): RefusedFor => {
  const detail = enhanced?.slice(2);
  if (detail !== undefined && detail !== '0.0') {
    return BY_DETAIL[detail] ?? (REFUSED_SUBJECTS.test(detail) ? 'refused' : 'recipient');
  }
  if (code === null) return of === 'recipient' ? 'recipient' : 'refused';
  if (code === 552) return of === 'recipient' ? 'mailbox_full' : 'too_large';
  return of === 'recipient' && NO_MAILBOX.has(code) && !ABOUT_SENDER.test(text) ? 'recipient' : 'refused';
};

/** A reply of one or more lines, `550-5.1.1 …`, in parts; null: it is none. */
export const refusalIn = (reply: string): Refusal | null => {
  const [, code, rest = ''] = /^([245]\d\d)(?:[ -]([\s\S]*))?$/.exec(reply.trim()) ?? [];
  if (code === undefined) return null;
  const [, enhanced = null] = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(rest) ?? [];
  return { code: Number(code), enhanced, text: rest };
};
