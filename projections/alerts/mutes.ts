import type { RecordedEventOf } from '../../domain/event-types.ts';
import { mutedUntil } from '../../domain/mute.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, type Model } from '../engine/fold/define.ts';
import type { AlertDocument } from './documents.ts';

/** The end of the mute of a check or rule, possibly in the past. The id is that of the check or rule. */
export interface MuteDocument {
  id: string;
  muted_until: Instant;
}

/**
 * An alert whose message waits until neither its rule nor its check is muted. These documents are the to-do list of the
 * reactor that ends mutes (reactors/alerts/alert-mutes.ts).
 */
export interface MutedAlertDocument {
  /** Id of the alert. */
  id: string;
  organization_id: string;
  rule_id: string | null;
  check_id: string | null;
  /** End of the mute of the rule. */
  rule_until: Instant | null;
  check_until: Instant | null;
  /** The waiting message. `fired` is sent only if the alert is still firing when the mute ends. */
  awaits: 'fired' | 'resolved';
  /** Time at which both mutes have ended. */
  due_at: Instant;
  /** Position of the newest event that added the item or changed its due time. */
  changed_position: number;
}

export const muteCollections = {
  mutes: collection<MuteDocument>({ indexes: [], small: true }),
  muted_alerts: collection<MutedAlertDocument>({
    indexes: [{ due_at: 1 }, { changed_position: 1 }, { check_id: 1 }, { rule_id: 1 }],
  }),
};

export interface MuteModels {
  mutes: Model<MuteDocument>;
  muted_alerts: Model<MutedAlertDocument>;
}

type Muting = RecordedEventOf<'AlertRuleMuted' | 'CheckMuted'>;

/** Returns the ids of the mutes that affect an alert. */
export const mutesOf = ({ rule_id, check_id }: Pick<AlertDocument, 'rule_id' | 'check_id'>): string[] =>
  [rule_id, check_id].filter((id) => id !== null);

const latest = (...instants: (Instant | null)[]): Instant | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);

/**
 * Adds an alert to the list of muted alerts if its rule or its check is muted.
 *
 * @param awaits the message that must wait
 * @param at time at which the alert fired or was resolved
 * @returns whether the alert is muted
 */
export const holdWhileMuted = (
  { id, organization_id, rule_id, check_id, changed_position }: AlertDocument,
  awaits: MutedAlertDocument['awaits'],
  at: Instant,
  { mutes, muted_alerts }: MuteModels,
): boolean => {
  const untilOf = (subject: string | null): Instant | null =>
    subject === null ? null : mutedUntil(mutes.get(subject)?.muted_until ?? null, at);
  const [rule_until, check_until] = [untilOf(rule_id), untilOf(check_id)];
  const due_at = latest(rule_until, check_until);
  if (due_at === null) return false;
  const until = { rule_until, check_until, due_at };
  muted_alerts.put({ id, organization_id, rule_id, check_id, ...until, awaits, changed_position });
  return true;
};

/**
 * Stores the end of the mute of a check or rule, and adapts the due times of the waiting alerts in
 * `muted_alerts.found`.
 */
export const storeMute = (
  event: Muting,
  subject: { id: string; field: 'rule_until' | 'check_until' },
  { mutes, muted_alerts }: MuteModels,
): void => {
  const { muted_until } = event.data;
  if (muted_until === null) mutes.delete(subject.id);
  else mutes.put({ id: subject.id, muted_until });
  for (const alert of muted_alerts.found) {
    const after = { ...alert, [subject.field]: muted_until, changed_position: Number(event.position) };
    const { recorded_at: now } = event.metadata;
    muted_alerts.put({ ...after, due_at: latest(after.rule_until, after.check_until) ?? now });
  }
};
