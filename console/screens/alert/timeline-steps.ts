import type { Schemas } from '../../api/openapi.d.ts';

type Alert = Schemas['Alert'];
type Notification = Schemas['AlertNotification'];

/** The outcome of a channel's messages about one event of an alert. */
export interface ChannelNotification {
  kind: 'notified';
  at: string;
  about: Notification['notification_type'];
  channelId: string;
  /** null: the channel was deleted */
  channelName: string | null;
  channelType: Notification['channel_type'];
  /** the number of messages by status; an e-mail channel has one message per recipient */
  counts: Readonly<Record<Notification['status'], number>>;
  /** distinct errors of failed or retried messages */
  errors: readonly string[];
}

/** An entry of an alert's timeline. */
export type TimelineStep =
  { kind: 'fired' | 'acknowledged' | 'resolved'; at: string; userId: string | null } | ChannelNotification;

const NO_MESSAGES: ChannelNotification['counts'] = { pending: 0, sent: 0, failed: 0, retrying: 0, superseded: 0 };

const channelNotifications = (messages: readonly Notification[]): ChannelNotification[] => {
  const steps = new Map<string, ChannelNotification>();
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

/**
 * Returns the timeline of an alert, oldest entry first. It shows who acted, and the outcome of the messages to each
 * channel.
 */
export const timelineOf = (alert: Pick<Alert, 'history'>, messages: readonly Notification[]): TimelineStep[] => {
  const events = alert.history.map(({ event, at, user_id }): TimelineStep => ({ kind: event, at, userId: user_id }));
  // The sort is stable, so with equal timestamps a message follows the event that it reports.
  return [...events, ...channelNotifications(messages)].sort((one, other) =>
    one.at < other.at ? -1 : Number(one.at > other.at),
  );
};

/** Returns whether messages are still being delivered. */
export const isWaiting = (steps: readonly TimelineStep[]): boolean =>
  steps.some((step) => step.kind === 'notified' && step.counts.pending + step.counts.retrying > 0);
