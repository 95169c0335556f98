import type { DeliveryMessage } from '../../domain/delivery/message.ts';

/** Functions of notifiers that do not send messages (notifiers/notifier.ts). */
export interface Receivers {
  /** Validates the settings of a notifier. Returns error messages by field. */
  problems: (notifier: string, settings: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** Returns the key of a receiver's rate limit. Receivers with the same key share one limit. */
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
  /** Status code of the response. Null without a response, or if the protocol has no status codes. */
  status_code: number | null;
  /** A sentence without secrets and without text from the receiver's server. Null on success. */
  error_message: string | null;
}

/** Sends tests of alert channels. Unlike all other messages, they are sent while the caller waits. */
export interface ChannelTests {
  /** Counts a test against the organization's rate limit. @throws an error if the limit is exceeded */
  admit: (organizationId: string) => void;
  /** Sends a message within ten seconds, without retries. */
  send: (notifier: string, message: TestMessage, settings: Readonly<Record<string, unknown>>) => Promise<TestOutcome>;
}
