import { channelIdOf } from '../../domain/alert-channel/receiver.ts';
import { alertChat, alertNotice } from '../../messages/alert/chat.ts';
import { alertMail } from '../../messages/alert/mail.ts';
import type { AlertEventName, AlertFacts } from '../../messages/alert/alert-facts.ts';
import { digestChat, digestMail, digestNotice, type Digest } from '../../messages/digest.ts';
import type { Mail } from '../../messages/mail/mail.ts';
import { messageFormOf, receiversOf, type IdentifiedReceiver } from '../../notifiers/channels/configuration.ts';
import type { NotificationMessage } from '../../notifiers/notifier.ts';
import type { AlertDocument } from '../../projections/alerts/documents.ts';
import { alertChannels, type AlertChannelDocument } from '../../projections/alert-channels/projection.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { CauseContext } from './cause.ts';
import { decryptConfiguration } from './channel-configuration.ts';

type Reading = Pick<CauseContext, 'read' | 'keys'>;

/** Returns the receivers of a channel. Empty if the channel is disabled or its key was deleted. */
export const receiversOfChannel = async (
  channel: AlertChannelDocument,
  { keys }: Pick<CauseContext, 'keys'>,
): Promise<IdentifiedReceiver[]> => {
  if (!channel.enabled) return [];
  const opened = await decryptConfiguration(channel, keys);
  if (!opened) return [];
  return receiversOf(channel, opened);
};

/** Returns the present state of a receiver. Null if the receiver was deleted or its channel is disabled. */
export const findReceiver = async (
  receiverId: string,
  organizationId: string,
  { read, keys }: Reading,
): Promise<IdentifiedReceiver | null> => {
  const channel = await read(alertChannels).alert_channels.get(channelIdOf(receiverId));
  if (channel?.organization_id !== organizationId) return null;
  return (await receiversOfChannel(channel, { keys })).find(({ id }) => id === receiverId) ?? null;
};

/** Returns the name of an organization for messages. Empty if the organization does not exist. */
export const organizationName = async (id: string, { read }: Pick<CauseContext, 'read'>): Promise<string> =>
  (await read(organizations).organizations.get(id))?.name ?? '';

/**
 * Returns the content of a message about an alert. Null if the message is about a resolution, but the alert is not
 * resolved. This can happen after a log was restored from a backup.
 */
export const alertContent = (
  alert: AlertDocument,
  event: AlertEventName,
  organization: string,
  { publicUrl }: Pick<CauseContext, 'publicUrl'>,
): AlertFacts | null => {
  const { title, description, severity, rule_name, check_name, fired_at, regional_summary } = alert;
  const { resolved_at: at, because, duration } = alert;
  const resolved = at === null || because === null || duration === null ? null : { at, because, duration };
  if (event === 'alert.resolved' && !resolved) return null;
  return {
    event,
    organization,
    title,
    description,
    severity,
    rule_name,
    check_name,
    fired_at,
    regional_summary,
    resolved: event === 'alert.resolved' ? resolved : null,
    url: publicUrl === null ? null : `${publicUrl}/console/alerts/${alert.id}`,
  };
};

/** Composes a message about an alert in the form that the notifier sends. Notifiers for programs send only `data`. */
export const alertMessage = (
  notifier: string,
  content: AlertFacts,
  { thread, data }: { thread: string; data: NotificationMessage['data'] },
): Omit<NotificationMessage, 'id'> => {
  const { event } = content;
  if (messageFormOf(notifier) === 'mail') return { event, data, ...serviceEmail(alertMail(content), thread) };
  return {
    event,
    data,
    subject: content.title,
    text: alertChat(content),
    notice: alertNotice(content, `alert-${thread}`),
  };
};

/** Composes a digest in the form that the notifier sends. */
export const digestMessage = (notifier: string, digest: Digest): Omit<NotificationMessage, 'id'> => {
  const event = 'digest';
  if (messageFormOf(notifier) === 'mail') return { event, data: {}, ...serviceEmail(digestMail(digest), null) };
  return { event, data: {}, subject: '', text: digestChat(digest), notice: digestNotice(digest) };
};

/** Returns the e-mail parts of a message that the service itself sends. Such an e-mail has no unsubscribe link. */
export const serviceEmail = (
  { subject, text, html }: Mail,
  thread: string | null,
): Pick<NotificationMessage, 'subject' | 'text' | 'mail'> => ({
  subject,
  text,
  mail: { html, thread, sender: { name: '', from: null, replyTo: null }, unsubscribeUrl: null },
});
