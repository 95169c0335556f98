import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import { unsubscribePath } from '../../domain/subscriber/links.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { instantOf } from '../../domain/time.ts';
import { composeSms } from '../../messages/sms/compose.ts';
import { composeWebhook } from '../../messages/webhook.ts';
import type { NotificationMessage, NotifierSettings } from '../../notifiers/notifier.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { FORGOTTEN, type SealLocation } from '../../stores/keys/port.ts';
import type { CauseContext, Composed } from '../delivery/cause.ts';
import type { MailingContent } from './content.ts';

/**
 * Composes a mailing for one subscriber, in the form for the subscriber's mode. Returns null if the subscriber's
 * address was deleted.
 */
export const composeSubscriberMessage = async (
  content: MailingContent,
  subscriber: SubscriberDocument,
  context: Pick<CauseContext, 'keys' | 'publicUrl' | 'clock'>,
): Promise<Composed | null> => {
  const settings = await settingsOf(subscriber, context);
  if (!settings) return null;
  const unsubscribe_url = await unsubscribeUrl(subscriber, context);
  return { settings, message: await messageIn(subscriber.mode, content, unsubscribe_url, context.clock()) };
};

const messageIn = async (
  mode: SubscriberMode,
  { notice, page, mail, sender }: MailingContent,
  unsubscribe_url: string | null,
  now: number,
): Promise<Omit<NotificationMessage, 'id'>> => {
  const { event, incident } = notice;
  const nothing = { event, subject: '', text: '', data: {} };
  switch (mode) {
    case 'email': {
      const { subject, text, html } = await mail(unsubscribe_url);
      const thread = incident?.id ?? null;
      const parts = { html, thread, sender, unsubscribeUrl: unsubscribe_url, list: page.id };
      return { ...nothing, subject, text, mail: parts };
    }
    case 'sms':
      return { ...nothing, text: composeSms({ ...notice, unsubscribe_url }) };
    case 'webhook':
      return { ...nothing, data: composeWebhook({ ...notice, unsubscribe_url }, instantOf(now)) };
  }
};

const settingsOf = async (
  { organization_id: organizationId, mode, address, secret, former_secret }: SubscriberDocument,
  { keys, clock }: Pick<CauseContext, 'keys' | 'clock'>,
): Promise<NotifierSettings | null> => {
  const opened = async (sealed: Sealed, field: SealLocation['field']): Promise<string | null> => {
    const text = await keys.open(sealed, { organizationId, field });
    return text === FORGOTTEN ? null : text;
  };
  const place = await opened(address, 'address');
  if (place === null) return null;
  switch (mode) {
    case 'email':
      return { address: place };
    case 'sms':
      return { number: place };
    case 'webhook': {
      const former = former_secret && former_secret.until > instantOf(clock()) ? former_secret.secret : null;
      const own = secret && (await opened(secret, 'secret'));
      const earlier = former && (await opened(former, 'secret'));
      return {
        url: place,
        ...(own !== null && { secret: own }),
        ...(earlier !== null && { former_secret: earlier }),
      };
    }
  }
};

const unsubscribeUrl = async (
  subscriber: SubscriberDocument,
  { keys, publicUrl }: Pick<CauseContext, 'keys' | 'publicUrl'>,
): Promise<string | null> =>
  publicUrl === null
    ? null
    : `${publicUrl}${await unsubscribePath(subscriber, (kind, text) => keys.fingerprint(kind, text))}`;
