import type { TObject } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { NotificationMessage, SendOutcome, NotifierSettings, SettingsErrors } from '../notifier.ts';

/** How the API shows the text of a field that is sealed (encrypted) at rest. */
export interface SealedField {
  /**
   * Formats the decrypted text for a reader.
   *
   * @param reveal whether the reader is allowed to change channels
   */
  format: (text: string, reveal: boolean) => string;
  /**
   * what the API shows if the key of the text was deleted. true: `[forgotten]`, for every reader. false: the result of
   * `format`
   */
  recognizable: boolean;
}

/** One receiver of a channel's messages: the name of a notifier and the settings for it. */
export interface ChannelReceiver {
  notifier: string;
  settings: NotifierSettings;
}

/** A request to a messaging service. It is sent as a POST with a JSON body. */
export interface ServiceRequest {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body: Fields;
}

/** The response of a messaging service, and the outcome that follows from its status (notifiers/http-outcome.ts). */
export interface ServiceResponse {
  outcome: SendOutcome;
  /**
   * the body; null if it is incomplete. In that case only the status counts, because an accepted message must not be
   * sent again
   */
  text: string | null;
  /** the fields of the JSON object in the body; empty if the body is not a JSON object; null if it is incomplete */
  fields: Fields | null;
}

/** How a channel type sends its messages to a server that the channel's configuration names. */
export interface ChannelSender {
  /**
   * Validates complete settings. Returns error messages by field.
   *
   * @param urlProblem checks a URL against the rules for webhooks and returns an error message; null: the URL is valid
   */
  validate: (settings: NotifierSettings, urlProblem: (url: unknown) => string | null) => SettingsErrors;
  /** name of the service in sentences: `Slack` */
  serviceName: string;
  /**
   * Makes one attempt to send a message. The settings have been validated. The outcome must not contain text from the
   * service.
   *
   * @param ask sends a request within the time limit and under the policy for webhooks. It may be called several times.
   */
  send: (
    message: NotificationMessage,
    settings: NotifierSettings,
    ask: (request: ServiceRequest) => Promise<ServiceResponse>,
  ) => Promise<SendOutcome>;
}

/**
 * Defines a type of alert channel: which configuration the API accepts and shows, which fields are sealed at rest, who
 * receives messages and how they are sent. Each type has its own folder; `slack/channel.ts` is an example to copy. A
 * channel type does no I/O.
 */
export interface ChannelType {
  /** the value of `type` in the API */
  name: string;
  /** what receivers get, in Markdown. The text is shown in the table of docs/reference/alert-channels.md#types */
  delivers: string;
  /** schema of `configuration` in responses; requests can contain the same fields */
  configuration: TObject;
  /**
   * fields that are sealed in events and documents; each is a text, a list of texts, or an object with texts as values
   */
  sealed: Readonly<Record<string, SealedField>>;
  /**
   * Parses a configuration from a request and adds defaults. A masked text stands for the stored text. Does not perform
   * the validation of {@link ChannelSender.validate} or of a notifier.
   *
   * @param previous the stored configuration, decrypted; null: nothing is stored
   */
  read: (given: Fields, previous: Fields | null, say: ProblemReporter) => Fields;
  /**
   * Returns the receivers in a fixed order. The list is empty if the type sends no messages.
   *
   * @param channelId null: the channel is not stored yet
   */
  receivers: (opened: Fields, channelId: string | null) => ChannelReceiver[];
  /** whether a channel may have several receivers; their deliveries are then distinguished by number */
  isNumbered: boolean;
  /** names of settings that have a different name in the configuration: from setting to field */
  renamedFields: Readonly<Record<string, string>>;
  /**
   * Returns the rate-limit target. It must equal the rate-limit target that the notifier returns
   * (notifiers/notifier.ts): deliveries with the same target share a rate limit. The target contains addresses and
   * tokens, so deliveries only store the fingerprint `keys.fingerprint('delivery target', target)`.
   */
  rateLimitTarget: (settings: NotifierSettings) => string;
  /**
   * form of the messages: an e-mail, a text (with its parts, domain/delivery/message.ts), or data for programs. Several
   * texts or e-mails are combined into one digest; programs get each message separately
   */
  messageForm: 'mail' | 'text' | 'data';
  /** null: the receivers use notifiers that exist independently of channels (notifiers/index.ts) */
  sender: ChannelSender | null;
}

/** Properties that have no default. */
type Own = 'name' | 'delivers' | 'configuration' | 'read' | 'rateLimitTarget';

/**
 * Creates a channel type. By default, a channel has one receiver, whose settings equal the configuration of the
 * channel.
 */
export const defineChannelType = (type: Pick<ChannelType, Own> & Partial<Omit<ChannelType, Own>>): ChannelType => ({
  sealed: {},
  receivers: (opened) => [{ notifier: type.name, settings: opened }],
  isNumbered: false,
  renamedFields: {},
  messageForm: 'text',
  sender: null,
  ...type,
});
