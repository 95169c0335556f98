import type { Tried } from '../domain/delivery/decide.ts';
import type { Notice } from '../domain/delivery/notice.ts';

/** A message, in the forms that notifiers choose from. */
export interface Message {
  /** the same for all attempts of a delivery and for no other, so that its target can recognize a repetition */
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
  notice?: Notice;
  /** what only e-mail has */
  mail?: MailParts;
}

/** How an e-mail looks, and how it stands among others. */
export interface MailParts {
  html: string;
  /** mail programs show messages with the same one together: an incident's id; null: it stands alone */
  thread: string | null;
  sender: Sender;
  /** the link that ends the subscription, which also takes a one-click POST (RFC 8058); null: there is none */
  unsubscribeUrl: string | null;
  /** the mailing list that it was sent to (RFC 2919): the id of a page; null or absent: it is for one person alone */
  list?: string | null;
}

/** Whose name an e-mail carries. */
export interface Sender {
  /** shown beside the address */
  name: string;
  /** where it comes from: an address at a verified domain, which also signs; null: the service's own */
  from: { address: string; dkim: DkimSigner } | null;
  /** where answers go; null: nowhere else */
  replyTo: string | null;
}

/** What signs e-mails for a domain (RFC 6376). */
export interface DkimSigner {
  domain: string;
  selector: string;
  /** PEM */
  privateKey: string;
}

/** What is needed to reach one receiver: an address, a token. Kept sealed, and opened for each attempt. */
export type Settings = Readonly<Record<string, unknown>>;

/** Sentences by the path of the field. */
export type SettingsErrors = Record<string, string[]>;

export interface SendContext {
  /** ends what is under way; it then rejects with the signal's reason, unless the outcome is known */
  signal: AbortSignal;
}

/** The outcome of an attempt. */
export type Sent = Tried & {
  /** the status code of the target's answer; null where it did not answer or its protocol has no codes */
  response_code: number | null;
  /** the receiver has moved for good: what is to be written to instead of the chat in the settings */
  moved_to?: string;
};

/**
 * One way to notify people and their programs. Each has its own folder; `webhook/` is the example to follow.
 */
export interface Notifier {
  /** name in the deliveries */
  name: string;
  /** What is wrong with settings; nothing when they can be used. */
  validate: (settings: Settings) => SettingsErrors;
  /** The settings as people see them: secrets masked. */
  shown: (settings: Settings) => Settings;
  /** The target that must not be overloaded: deliveries with the same target share a limit. */
  limitedBy: (settings: Settings) => string;
  /**
   * Tries once to deliver, within its own time limit. Never throws for what the target does. A failure contains neither
   * secrets nor addresses of people, and says whether further attempts make sense.
   *
   * @throws OwnTrouble this machine could not try, which says nothing about the target
   */
  send: (message: Message, settings: Settings, context: SendContext) => Promise<Sent>;
  /** Closes connections that it keeps for further messages. */
  close?: () => void;
}
