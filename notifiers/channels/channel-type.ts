import type { TObject } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { NotificationMessage, SendOutcome, NotifierSettings, SettingsErrors } from '../notifier.ts';

/** How the API shows the text of a sealed field. */
export interface SealedField {
  /**
   * Formats the decrypted text for a reader.
   *
   * @param reveal whether the reader may change channels
   */
  format: (text: string, reveal: boolean) => string;
  /** whether everybody sees `[forgotten]` for a text whose key was deleted; otherwise `shown` formats it */
  recognizable: boolean;
}

/** One receiver of a channel's messages: the name of a notifier, and its settings. */
export interface ChannelReceiver {
  notifier: string;
  settings: NotifierSettings;
}

/** A request to a messaging service: a POST of JSON. */
export interface ServiceRequest {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body: Fields;
}

/** A messaging service's response, and the outcome by its status (notifiers/http-outcome.ts). */
export interface ServiceResponse {
  outcome: SendOutcome;
  /** null if the body is incomplete: then the status decides, since an accepted message must not be sent again */
  text: string | null;
  /** the fields of the body, empty if it is not JSON; null if it is incomplete */
  fields: Fields | null;
}

/** How a type sends its messages itself, to a server that its configuration names. */
export interface ChannelSender {
  /**
   * Validates complete settings; errors by field.
   *
   * @param urlProblem checks a URL against the rules for webhooks; null: no problem
   */
  validate: (settings: NotifierSettings, urlProblem: (url: unknown) => string | null) => SettingsErrors;
  /** the service's name in sentences: `Slack` */
  serviceName: string;
  /**
   * Tries once, with validated settings. The outcome contains no text from the service.
   *
   * @param ask sends a request within the time limit and under the policy for webhooks; may be called several times
   */
  send: (
    message: NotificationMessage,
    settings: NotifierSettings,
    ask: (request: ServiceRequest) => Promise<ServiceResponse>,
  ) => Promise<SendOutcome>;
}

/**
 * Defines a type of alert channel: what the API accepts and shows, what is sealed at rest, who receives its messages
 * and how they are sent. Each has its own folder; `slack/channel.ts` is the example to follow. It does no I/O.
 */
export interface ChannelType {
  /** the value of `type` */
  name: string;
  /** what the receiver gets, in Markdown: a cell of the table in docs/reference/alert-channels.md#types */
  delivers: string;
  /** schema of `configuration` in responses; its fields are those that a caller can send */
  configuration: TObject;
  /** fields whose texts are sealed in events and documents: a text, a list of texts, or texts by name */
  sealed: Readonly<Record<string, SealedField>>;
  /**
   * Parses a configuration from a request and adds defaults. A masked text means the stored text. Does not check what
   * {@link ChannelSender.validate} or a notifier checks.
   *
   * @param previous the stored configuration, decrypted; null: none
   */
  read: (given: Fields, previous: Fields | null, say: ProblemReporter) => Fields;
  /**
   * The receivers, in a fixed order; empty if the type sends no messages.
   *
   * @param channelId null: the channel is not stored yet
   */
  receivers: (opened: Fields, channelId: string | null) => ChannelReceiver[];
  /** whether there may be several receivers, which deliveries distinguish by number */
  isNumbered: boolean;
  /** settings whose name differs in the configuration */
  renamedFields: Readonly<Record<string, string>>;
  /**
   * The target that deliveries share a rate limit by, as the notifier defines it (notifiers/notifier.ts). It contains
   * addresses and tokens, so deliveries store `keys.fingerprint('delivery target', target)`.
   */
  rateLimitTarget: (settings: NotifierSettings) => string;
  /**
   * the content of its messages: an e-mail, a text (with its parts, domain/delivery/message.ts), or data for programs.
   * People get a digest of many messages; programs get each message
   */
  messageForm: 'mail' | 'text' | 'data';
  /** null: its receivers use notifiers that exist independently (notifiers/index.ts) */
  sender: ChannelSender | null;
}

/** Properties without a default. */
type Own = 'name' | 'delivers' | 'configuration' | 'read' | 'rateLimitTarget';

/** Creates a type with defaults: one receiver, whose settings are the configuration. */
export const defineChannelType = (type: Pick<ChannelType, Own> & Partial<Omit<ChannelType, Own>>): ChannelType => ({
  sealed: {},
  receivers: (opened) => [{ notifier: type.name, settings: opened }],
  isNumbered: false,
  renamedFields: {},
  messageForm: 'text',
  sender: null,
  ...type,
});
