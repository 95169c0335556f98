import { entityIn, fieldsIn, partOfType, textOf } from './mime.ts';
import { refusalIn, refusedFor, type Refusal } from './refusal.ts';

/**
 * What a report says of an address: it is no good for any message (`hard`); the message was not delivered, or not yet,
 * which says nothing against the address (`soft`); or there was no failure (`none`).
 */
export type Bounce = 'hard' | 'soft' | 'none';

/** A delivery status notification (RFC 3464). */
export interface StatusNotification {
  bounce: Bounce;
  /** the codes of a failure: `550 5.1.1`; the empty string if it has none */
  codes: string;
}

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
/** Headers that name the address which a message was sent to, as mail servers add them; the last may be its writer's. */
const RECIPIENT_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to'];
const MOST_RECIPIENTS = 20;
const LONGEST_VALUE = 1_000;
const ADDRESS = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/g;
/** Our own messages have one recipient. */
const MOST_REPORTS = 20;

/** The addresses that a message was sent to, by its headers. */
export const recipientsIn = (message: string): string[] => {
  const { headers } = entityIn(message);
  const values = RECIPIENT_HEADERS.flatMap((name) => headers.get(name) ?? []).slice(0, MOST_RECIPIENTS);
  return values.flatMap((value) => value.slice(0, LONGEST_VALUE).match(ADDRESS) ?? []).slice(0, MOST_RECIPIENTS);
};

/** Reads a message; null if it is no delivery status notification, such as a person's or a machine's answer. */
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

/** What is said of one recipient; null where a group of fields is about the whole message. */
const reportIn = (fields: ReadonlyMap<string, readonly string[]>): StatusNotification | null => {
  const [, action] = /^(failed|delayed|delivered|relayed|expanded)\b/i.exec(fields.get('action')?.[0] ?? '') ?? [];
  if (action === undefined) return null;
  const [status = null] = /^[245]\.\d{1,3}\.\d{1,3}(?!\d)/.exec(fields.get('status')?.[0] ?? '') ?? [];
  const [, answer = ''] = /^\s*smtp\s*;(.*)$/is.exec(fields.get('diagnostic-code')?.[0] ?? '') ?? [];
  const refusal = joined(status, refusalIn(answer));
  const codes = [refusal.code?.toString(), refusal.enhanced].filter((code) => code !== null && code !== undefined);
  const bounce = bounceOf(action.toLowerCase(), status, refusal);
  return { bounce, codes: codes.join(' ') };
};

/** A server's answer is more exact than the status that another server made of it. */
const joined = (status: string | null, answer: Refusal | null): Refusal => ({
  code: answer?.code ?? null,
  enhanced: answer?.enhanced ?? (status !== null && !status.endsWith('.0.0') ? status : null),
  text: answer?.text ?? '',
});

const bounceOf = (action: string, status: string | null, refusal: Refusal): Bounce => {
  if (action === 'delayed') return 'soft';
  if (action !== 'failed') return 'none';
  const isPermanent = [status, refusal.enhanced, refusal.code?.toString()].every(
    (code) => code?.startsWith('5') ?? true,
  );
  const isKnown = status !== null || refusal.code !== null;
  return isKnown && isPermanent && refusedFor(refusal, 'recipient') === 'recipient' ? 'hard' : 'soft';
};
