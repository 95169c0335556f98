/** A negative reply from a mail server. */
export interface Refusal {
  /** reply code of three digits (RFC 5321, 4.2); null if only the enhanced code is known */
  code: number | null;
  /** enhanced code, such as `5.1.1` (RFC 3463); null without one */
  enhanced: string | null;
  /** the text of the reply */
  text: string;
}

/**
 * The reason of a refusal. `recipient`: the address does not work for any message. `mailbox_full` and `too_large` speak
 * for themselves. `refused`: another reason, such as the content, the sender, or the policy of the server.
 */
export type RefusalSubject = 'recipient' | 'mailbox_full' | 'too_large' | 'refused';

const NOT_THE_ADDRESS: ReadonlySet<string> = new Set([
  'mailbox_full',
  'too_large',
  'refused',
] satisfies RefusalSubject[]);

/** Whether a permanent refusal for this reason means that no message can reach the receiver. */
export const concernsRecipient = (reason: string): boolean => !NOT_THE_ADDRESS.has(reason);

/**
 * Reasons by the subject and detail of enhanced codes: `2.2` for `5.2.2`. Codes that are missing here concern the
 * recipient, unless they match {@link REFUSED_SUBJECTS}.
 */
const BY_DETAIL: Readonly<Record<string, RefusalSubject>> = {
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
/** Enhanced codes about protocol, content and policy. `5.0` is excluded, because it is as unspecific as `0.0`. */
const REFUSED_SUBJECTS = /^(?:5\.(?!0$)|6\.|7\.)/;

/** Reply codes for a mailbox that does not exist, has moved, or whose domain accepts no mail (RFC 5321; RFC 7504). */
const NO_MAILBOX: ReadonlySet<number> = new Set([550, 551, 553, 556]);
/**
 * Matches replies that reject the sender. For such replies, servers without enhanced codes also use the codes in {@link
 * NO_MAILBOX}.
 */
const ABOUT_SENDER = /relay|spam|block|black|reject list|policy|spf|dkim|dmarc|reputation|sender|authenticat|content/i;

/**
 * Classifies a refusal.
 *
 * @param of `recipient` if the server refused RCPT TO; otherwise `message`, for example if the server refused MAIL FROM
 * because of the size of the message
 */
export const refusalSubject = ({ code, enhanced, text }: Refusal, of: 'recipient' | 'message'): RefusalSubject => {
  const detail = enhanced?.slice(2);
  if (detail !== undefined && detail !== '0.0') {
    return BY_DETAIL[detail] ?? (REFUSED_SUBJECTS.test(detail) ? 'refused' : 'recipient');
  }
  if (code === null) return of === 'recipient' ? 'recipient' : 'refused';
  if (code === 552) return of === 'recipient' ? 'mailbox_full' : 'too_large';
  return of === 'recipient' && NO_MAILBOX.has(code) && !ABOUT_SENDER.test(text) ? 'recipient' : 'refused';
};

/** Parses a reply of one or more lines, such as `550-5.1.1 …`. Returns null for any other text. */
export const parseRefusal = (reply: string): Refusal | null => {
  const [, code, rest = ''] = /^([245]\d\d)(?:[ -]([\s\S]*))?$/.exec(reply.trim()) ?? [];
  if (code === undefined) return null;
  const [, enhanced = null] = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(rest) ?? [];
  return { code: Number(code), enhanced, text: rest };
};
