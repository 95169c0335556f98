import type { DeliveryMessage } from '../../domain/delivery/message.ts';

/** Checks on receivers that need no message to be sent (notifiers/notifier.ts). */
export interface Receivers {
  /** Validates the settings of a notifier. Returns error messages by field. */
  problems: (notifier: string, settings: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** The key under which receivers of this notifier share a rate limit. */
  limitedBy: (notifier: string, settings: Readonly<Record<string, unknown>>) => string;
}

/** A test message (notifiers/notifier.ts). */
export interface TestMessage {
  id: string;
  event: string;
  subject: string;
  text: string;
  notice: DeliveryMessage;
  data: Record<string, unknown>;
}

/** The outcome of a test. */
export interface TestOutcome {
  success: boolean;
  /** the status code of the response; null without a response, or if the protocol has no status codes */
  status_code: number | null;
  /** a sentence without secrets and without text from the receiver's server; null on success */
  error_message: string | null;
}

/** Tests of alert channels. Unlike all other messages, they are sent while the caller waits. */
export interface ChannelTests {
  /** Counts a test against the organization's rate limit. @throws an error if the limit is exceeded */
  admit: (organizationId: string) => void;
  /** Sends a message once, within ten seconds. */
  send: (notifier: string, message: TestMessage, settings: Readonly<Record<string, unknown>>) => Promise<TestOutcome>;
}
