import type { Schemas } from '../../api/openapi.d.ts';

type Alert = Schemas['Alert'];
type Notification = Schemas['AlertNotification'];

/** What became of the messages of one channel about one event of an alert. */
export interface Notified {
  kind: 'notified';
  at: string;
  about: Notification['notification_type'];
  channelId: string;
  /** null: the channel was deleted */
  channelName: string | null;
  channelType: Notification['channel_type'];
  /** messages by how far they have come; an e-mail channel has one for each recipient */
  counts: Readonly<Record<Notification['status'], number>>;
  /** why messages failed, or have to be sent again; each sentence once */
  errors: readonly string[];
}

/** Something that happened to an alert. */
export type Step = { kind: 'fired' | 'acknowledged' | 'resolved'; at: string; userId: string | null } | Notified;

const NO_MESSAGES: Notified['counts'] = { pending: 0, sent: 0, failed: 0, retrying: 0, superseded: 0 };

const notified = (messages: readonly Notification[]): Notified[] => {
  const steps = new Map<string, Notified>();
  for (const one of messages) {
    const key = `${one.notification_type} ${one.channel_id}`;
    const { counts, errors, at } = steps.get(key) ?? { counts: NO_MESSAGES, errors: [], at: one.created_at };
    steps.set(key, {
      kind: 'notified',
      at,
      about: one.notification_type,
      channelId: one.channel_id,
      channelName: one.channel_name,
      channelType: one.channel_type,
      counts: { ...counts, [one.status]: counts[one.status] + 1 },
      errors: one.error_message === null ? errors : [...new Set([...errors, one.error_message])],
    });
  }
  return [...steps.values()];
};

/** What happened to an alert, oldest first: who did what, and which channels were notified with what outcome. */
export const courseOf = (alert: Pick<Alert, 'history'>, messages: readonly Notification[]): Step[] => {
  const events = alert.history.map(({ event, at, user_id }): Step => ({ kind: event, at, userId: user_id }));
  // Messages about an event are planned after it, also where a clock says that it was at the same time.
  return [...events, ...notified(messages)].sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
};

/** Whether messages are on their way. */
export const isWaiting = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.kind === 'notified' && step.counts.pending + step.counts.retrying > 0);
