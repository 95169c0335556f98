import { createHmac } from 'node:crypto';
import type { Mailbox } from '../../../domain/mail/address.ts';
import { mailboxOf } from '../../../domain/mail/address.ts';
import type { Mac } from '../../../domain/signed-token.ts';
import { systemClock, type Clock } from '../../../network/clock.ts';
import { createEmail } from '../../../notifiers/email/index.ts';
import { relayOf } from '../../../notifiers/email/relay.ts';
import type { MailParts, NotificationMessage, Notifier, SendOutcome } from '../../../notifiers/notifier.ts';
import { resolveIn } from '../../probes/web/probing.ts';

export const MAIL: MailParts = {
  html: '<!doctype html><html lang="en"><title>Mail</title><p>We are <b>looking</b> into it.</p></html>',
  thread: 'incident0001',
  sender: { name: 'Acme', from: null, replyTo: 'help@acme.example' },
  unsubscribeUrl: 'https://status.example.org/subscriptions/unsubscribe?token=abc.def',
  list: 'page00000001',
};

export const MESSAGE: NotificationMessage = {
  id: 'delivery0001',
  event: 'incident.created',
  subject: 'The shop is down',
  text: 'We are looking into it.\n',
  data: {},
  mail: MAIL,
};

/** Computes MACs with a fixed key. */
export const mac: Mac = (kind, text) =>
  Promise.resolve(createHmac('sha256', 'key').update(`${kind}\n${text}`).digest('base64url'));

export const FROM = mailboxOf('Acme Status <status@example.org>') as Mailbox;

export interface World {
  /** value of SMTP_URL */
  url: string;
  from?: Mailbox;
  /** addresses by host name; all other names are unknown */
  hosts?: Record<string, readonly string[]>;
  trust?: readonly string[];
  clock?: Clock;
}

const opened = new Set<Notifier>();

/** Closes the sessions that a test has left open. Call it after each test. */
export const closeEmails = (): void => {
  for (const { close } of opened) close?.();
  opened.clear();
};

export const emailBy = ({ url, from = FROM, hosts = {}, trust, clock = systemClock }: World): Notifier => {
  const notifier = createEmail({
    clock,
    resolve: resolveIn(hosts),
    relay: relayOf(url),
    from,
    mac,
    ...(trust && { trust }),
  });
  opened.add(notifier);
  return notifier;
};

/** Sends one message through a relay. */
export const mail = (
  world: World,
  message: Partial<NotificationMessage> = {},
  address = 'jane@example.com',
  signal = new AbortController().signal,
): Promise<SendOutcome> => emailBy(world).send({ ...MESSAGE, ...message }, { address }, { signal });

/** Formats the outcome of an attempt on one line, with the kind of failure, the reason and the error message. */
export const line = (sent: SendOutcome): string =>
  sent.status === 'delivered'
    ? `delivered ${String(sent.response_code)}`
    : `${sent.status === 'unavailable' ? 'unavailable' : sent.permanent ? 'permanent' : 'again'} ${sent.reason} ` +
      `${String(sent.response_code)}: ${sent.error_message}`;
