import { entityIn, fieldsIn, partOfType, textOf } from './mime.ts';
import { parseRefusal, refusalSubject, type Refusal } from './refusal.ts';

/**
 * The kind of a bounce. `hard`: the address does not work for any message. `soft`: the message was delayed, or not
 * delivered for a reason that does not concern the address. `none`: nothing failed.
 */
export type Bounce = 'hard' | 'soft' | 'none';

/** A delivery status notification (RFC 3464). */
export interface StatusNotification {
  bounce: Bounce;
  /** the codes of a failure, such as `550 5.1.1`; empty if there are none */
  codes: string;
}

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
/** Headers that contain the recipient's address. Mail servers add all of them except `To`, which the sender writes. */
const RECIPIENT_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];
const MOST_RECIPIENTS = 20;
const LONGEST_VALUE = 1_000;
const ADDRESS = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/g;
/**
 * Maximum number of reports that are read from a notification. There is one report per recipient, and messages of this
 * service have one recipient.
 */
const MOST_REPORTS = 20;

/** Returns the recipient addresses in the headers of a message. */
export const recipientsIn = (message: string): string[] => {
  const { headers } = entityIn(message);
  const values = RECIPIENT_HEADERS.flatMap((name) => headers.get(name) ?? []).slice(0, MOST_RECIPIENTS);
  return values.flatMap((value) => value.slice(0, LONGEST_VALUE).match(ADDRESS) ?? []).slice(0, MOST_RECIPIENTS);
};

/** Parses a delivery status notification. Returns null for other messages, such as replies and automatic responses. */
export const statusNotificationIn = (message: string): StatusNotification | null => {
  const part = partOfType(entityIn(message), STATUS_TYPES);
  if (!part) return null;
  const groups = textOf(part)
    .trim()
    .split(/\r?\n(?:[ \t]*\r?\n)+/, MOST_REPORTS + 1);
  const reports = groups.map((group) => reportIn(fieldsIn(group))).filter((report) => report !== null);
  const worst = (['hard', 'soft'] as const).flatMap(
    (bounce) => reports.find((report) => report.bounce === bounce) ?? [],
  );
  return worst[0] ?? { bounce: 'none', codes: '' };
};

/** Returns the report on one recipient; null if the fields concern the whole message. */
const reportIn = (fields: ReadonlyMap<string, readonly string[]>): StatusNotification | null => {
  const [, action] = /^(failed|delayed|delivered|relayed|expanded)\b/i.exec(fields.get('action')?.[0] ?? '') ?? [];
  if (action === undefined) return null;
  const [status = null] = /^[245]\.\d{1,3}\.\d{1,3}(?!\d)/.exec(fields.get('status')?.[0] ?? '') ?? [];
  const [, reply = ''] = /^\s*smtp\s*;(.*)$/is.exec(fields.get('diagnostic-code')?.[0] ?? '') ?? [];
  const refusal = joined(status, parseRefusal(reply));
  const codes = [refusal.code?.toString(), refusal.enhanced].filter((code) => code !== null && code !== undefined);
  const bounce = bounceOf(action.toLowerCase(), status, refusal);
  return { bounce, codes: codes.join(' ') };
};

/**
 * Combines the two parts of a report that contain codes: the `Status` field, and the reply of the server that refused
 * the message. The codes of the reply are preferred, because they are more precise.
 */
const joined = (status: string | null, reply: Refusal | null): Refusal => ({
  code: reply?.code ?? null,
  enhanced: reply?.enhanced ?? (status !== null && !status.endsWith('.0.0') ? status : null),
  text: reply?.text ?? '',
});

const bounceOf = (action: string, status: string | null, refusal: Refusal): Bounce => {
  if (action === 'delayed') return 'soft';
  if (action !== 'failed') return 'none';
  const isPermanent = [status, refusal.enhanced, refusal.code?.toString()].every(
    (code) => code?.startsWith('5') ?? true,
  );
  const isKnown = status !== null || refusal.code !== null;
  return isKnown && isPermanent && refusalSubject(refusal, 'recipient') === 'recipient' ? 'hard' : 'soft';
};
