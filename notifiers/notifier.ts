import type { AttemptOutcome } from '../domain/delivery/decide.ts';
import type { DeliveryMessage } from '../domain/delivery/message.ts';

/** A message, in all forms that notifiers need. */
export interface NotificationMessage {
  /** id that is the same for all attempts of one delivery, so that the target can recognise repetitions */
  id: string;
  /** type of the message, for programs: `incident.created` */
  event: string;
  /** summary for people, in one line */
  subject: string;
  /** text for people */
  text: string;
  /** content for programs, as JSON */
  data: Record<string, unknown>;
  /** content for chat and push services; absent: they show `text` */
  notice?: DeliveryMessage;
  /** the parts of the message that only e-mail uses */
  mail?: MailParts;
}

/** How an e-mail is rendered, threaded and addressed. */
export interface MailParts {
  html: string;
  /**
   * key by which mail programs group messages, such as the id of an incident; null: the message belongs to no thread
   */
  thread: string | null;
  sender: Sender;
  /** link that ends the subscription and also accepts a one-click POST (RFC 8058); null: no link */
  unsubscribeUrl: string | null;
  /**
   * id of the mailing list (RFC 2919), which is the id of a page; null or absent: the message is for one person only
   */
  list?: string | null;
}

/** The sender that recipients of an e-mail see. */
export interface Sender {
  /** display name */
  name: string;
  /** an address of a verified domain, with the key that signs for the domain; null: the service's own address */
  from: { address: string; dkim: DkimSigner } | null;
  /** the address for replies; null: replies go to the sender's address */
  replyTo: string | null;
}

/** The key with which e-mail of a domain is signed (DKIM, RFC 6376). */
export interface DkimSigner {
  domain: string;
  selector: string;
  /** private key, as PEM */
  privateKey: string;
}

/**
 * The data that a notifier needs to reach one receiver, such as an address or a token. Sealed at rest, and decrypted
 * for each attempt.
 */
export type NotifierSettings = Readonly<Record<string, unknown>>;

/** Error messages by field path. */
export type SettingsErrors = Record<string, string[]>;

export interface SendContext {
  /** aborts the attempt. The attempt then rejects with the signal's reason, unless its outcome is already known */
  signal: AbortSignal;
}

/** The outcome of an attempt. */
export type SendOutcome = AttemptOutcome & {
  /** status code of the target's response; null if there was no response or if the protocol has no codes */
  response_code: number | null;
  /** new value of the setting `chat_id`; present if the receiver has moved permanently */
  moved_to?: string;
};

/** A way to notify people or programs. Each notifier has its own folder; `webhook/` is an example to copy. */
export interface Notifier {
  /** name used in deliveries */
  name: string;
  /** Validates settings. Returns error messages by field; an empty object if the settings are valid. */
  validate: (settings: NotifierSettings) => SettingsErrors;
  /** Returns the settings with secrets masked, for display. */
  maskedSettings: (settings: NotifierSettings) => NotifierSettings;
  /** Returns the rate-limit target. Deliveries with the same target share a rate limit. */
  rateLimitTarget: (settings: NotifierSettings) => string;
  /**
   * Makes one attempt to deliver a message, within the notifier's own time limit. Never throws because of the target.
   * The outcome of a failure contains neither secrets nor addresses of people, and states whether a retry makes sense.
   *
   * @throws LocalFailure this machine could not make the attempt, which says nothing about the target
   */
  send: (message: NotificationMessage, settings: NotifierSettings, context: SendContext) => Promise<SendOutcome>;
  /** Closes connections that were left open for reuse. */
  close?: () => void;
}
