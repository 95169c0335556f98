import type { Notice } from '../../domain/delivery/notice.ts';

/** What can be known of a receiver without sending anything to it (notifiers/notifier.ts). */
export interface Receivers {
  /** Says what is wrong with the settings of a notifier, sentences by field. */
  problems: (notifier: string, settings: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** Names what shares a limit with other receivers of this notifier. */
  limitedBy: (notifier: string, settings: Readonly<Record<string, unknown>>) => string;
}

/** A message that tests whether somebody can be reached (notifiers/notifier.ts). */
export interface TestMessage {
  id: string;
  event: string;
  subject: string;
  text: string;
  notice: Notice;
  data: Record<string, unknown>;
}

/** How a test went. */
export interface TestOutcome {
  success: boolean;
  /** the status code of the answer; null: there was none, or its protocol has none */
  status_code: number | null;
  /** a sentence that holds neither secrets nor what the other side said; null: nothing is wrong */
  error_message: string | null;
}

/** Tests of alert channels: unlike all other messages, they are sent while somebody waits. */
export interface ChannelTests {
  /** Lets an organization test once more. @throws whatever tells it that it does so too often */
  admit: (organizationId: string) => void;
  /** Sends a message once, within ten seconds. */
  send: (notifier: string, message: TestMessage, settings: Readonly<Record<string, unknown>>) => Promise<TestOutcome>;
}
