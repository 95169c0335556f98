import type { TObject } from '@sinclair/typebox';
import type { Say } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { Message, Sent, Settings, SettingsErrors } from '../notifier.ts';

/** How the texts of a sealed field are shown. */
export interface SealedField {
  /**
   * An open text as a reader sees it.
   *
   * @param reveal the reader may change channels
   */
  shown: (text: string, reveal: boolean) => string;
  /** whether a text whose key was deleted is shown as `[forgotten]` to everybody; otherwise as `shown` makes it */
  recognizable: boolean;
}

/** One receiver of a channel's messages: a notifier by its name, and its settings. */
export interface ChannelReceiver {
  notifier: string;
  settings: Settings;
}

/** A request to a service that takes messages: a POST of JSON. */
export interface ServiceRequest {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body: Fields;
}

/** What a service answered, and the outcome by its status (notifiers/http-answer.ts). */
export interface ServiceAnswer {
  sent: Sent;
  /** null if it did not come whole: then its status decides, since a message that was taken must not be sent again */
  text: string | null;
  /** the fields of the answer, none if it is no JSON; null if it did not come whole */
  said: Fields | null;
}

/** How a type sends its messages by itself, to a server that its configuration names. */
export interface Sending {
  /**
   * What is wrong with settings that are complete, by field.
   *
   * @param urlProblem what the rules for webhooks say against a URL; null: nothing
   */
  validate: (settings: Settings, urlProblem: (url: unknown) => string | null) => SettingsErrors;
  /** the service in sentences: `Slack` */
  who: string;
  /**
   * Tries once, with settings that are valid. The outcome contains nothing of what the service said.
   *
   * @param ask sends a request within the time limit and by the policy for webhooks; it may be called several times
   */
  send: (
    message: Message,
    settings: Settings,
    ask: (request: ServiceRequest) => Promise<ServiceAnswer>,
  ) => Promise<Sent>;
}

/**
 * Everything about a type of alert channels: what the API accepts and shows, what is stored sealed, who gets its
 * messages and how they are sent. Each has its own folder; `slack/channel.ts` is the example to follow. It does no I/O.
 */
export interface ChannelType {
  /** the value of `type` */
  name: string;
  /** what arrives, in Markdown: a cell of the table in docs/alert-channels.md */
  arrives: string;
  /** schema of `configuration` in answers; its fields are those that a caller can send */
  configuration: TObject;
  /** fields whose texts are sealed in events and documents: one text, a list of them, or one by each name */
  sealed: Readonly<Record<string, SealedField>>;
  /**
   * Reads a configuration as a caller sends it, and completes it by defaults. A text that is sent masked stands for the
   * stored one. What {@link Sending.validate} or a notifier judges is not judged here.
   *
   * @param previous the stored one with its texts open; null: there is none
   */
  read: (given: Fields, previous: Fields | null, say: Say) => Fields;
  /**
   * Who gets its messages, in a fixed order; nobody, where it sends none.
   *
   * @param channelId null: the channel is not stored yet
   */
  receivers: (opened: Fields, channelId: string | null) => ChannelReceiver[];
  /** whether there may be several receivers, which deliveries tell apart by number */
  isNumbered: boolean;
  /** fields of settings that the configuration has under another name */
  renamed: Readonly<Record<string, string>>;
  /**
   * What messages share a limit by, as the notifier says (notifiers/notifier.ts). It tells addresses and tokens: in a
   * delivery stands `keys.fingerprint('delivery target', target)`.
   */
  limitedBy: (settings: Settings) => string;
  /**
   * what its messages are made of: an e-mail, a text (and its parts, domain/delivery/notice.ts), or data for programs.
   * People get a digest of very many at once, programs get each by itself
   */
  form: 'mail' | 'text' | 'data';
  /** null: its receivers name notifiers that there are without it (notifiers/index.ts) */
  sending: Sending | null;
}

/** The properties that differ for every type. */
type Own = 'name' | 'arrives' | 'configuration' | 'read' | 'limitedBy';

/** A type, with the usual defaults for what is not given: one receiver, whose settings are the configuration. */
export const defineChannelType = (type: Pick<ChannelType, Own> & Partial<Omit<ChannelType, Own>>): ChannelType => ({
  sealed: {},
  receivers: (opened) => [{ notifier: type.name, settings: opened }],
  isNumbered: false,
  renamed: {},
  form: 'text',
  sending: null,
  ...type,
});
