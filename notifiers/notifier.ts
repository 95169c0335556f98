import type { AttemptOutcome } from '../domain/delivery/decide.ts';
import type { DeliveryMessage } from '../domain/delivery/message.ts';

/** A message, in every form that a notifier may need. */
export interface NotificationMessage {
  /** the same for all attempts of one delivery, so that the target can recognise a repetition */
  id: string;
  /** for programs: `incident.created` */
  event: string;
  /** one line for people */
  subject: string;
  /** for people */
  text: string;
  /** for programs: JSON */
  data: Record<string, unknown>;
  /** for chat and push services; absent: they show `text` */
  notice?: DeliveryMessage;
  /** the parts that only e-mail has */
  mail?: MailParts;
}

/** How an e-mail is rendered, threaded and addressed. */
export interface MailParts {
  html: string;
  /** mail programs group messages with the same value: an incident's id; null: no thread */
  thread: string | null;
  sender: Sender;
  /** the link that ends the subscription, which also accepts a one-click POST (RFC 8058); null: none */
  unsubscribeUrl: string | null;
  /** the mailing list (RFC 2919): the id of a page; null or absent: the message is for one person only */
  list?: string | null;
}

/** The sender that an e-mail shows. */
export interface Sender {
  /** display name */
  name: string;
  /** an address at a verified domain, which also signs; null: the service's own address */
  from: { address: string; dkim: DkimSigner } | null;
  /** the address for replies; null: the sender's address */
  replyTo: string | null;
}

/** The DKIM key that signs e-mail for a domain (RFC 6376). */
export interface DkimSigner {
  domain: string;
  selector: string;
  /** PEM */
  privateKey: string;
}

/** What is needed to reach one receiver: an address, a token. Sealed at rest, and decrypted for each attempt. */
export type NotifierSettings = Readonly<Record<string, unknown>>;

/** Error messages by the path of the field. */
export type SettingsErrors = Record<string, string[]>;

export interface SendContext {
  /** aborts the attempt, which then rejects with the signal's reason, unless the outcome is known */
  signal: AbortSignal;
}

/** The outcome of an attempt. */
export type SendOutcome = AttemptOutcome & {
  /** the status code of the target's response; null without a response, or if the protocol has no codes */
  response_code: number | null;
  /** the receiver has moved permanently: the new value of the chat in the settings */
  moved_to?: string;
};

/**
 * One way to notify people and their programs. Each has its own folder; `webhook/` is the example to follow.
 */
export interface Notifier {
  /** name used in deliveries */
  name: string;
  /** Validates settings; returns no errors if they can be used. */
  validate: (settings: NotifierSettings) => SettingsErrors;
  /** The settings as people see them: with secrets masked. */
  maskedSettings: (settings: NotifierSettings) => NotifierSettings;
  /** The target that deliveries share a rate limit by. */
  rateLimitTarget: (settings: NotifierSettings) => string;
  /**
   * Tries once to deliver, within its own time limit. Never throws because of the target. A failure contains neither
   * secrets nor addresses of people, and says whether a retry makes sense.
   *
   * @throws LocalFailure this machine could not try, which says nothing about the target
   */
  send: (message: NotificationMessage, settings: NotifierSettings, context: SendContext) => Promise<SendOutcome>;
  /** Closes connections that were open for reuse. */
  close?: () => void;
}
