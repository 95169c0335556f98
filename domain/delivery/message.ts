import type { Severity } from '../alert-rule/fields.ts';

/** A message in parts for chat and push services. */
export interface DeliveryMessage {
  /** one line: `[High] API is down`, `Resolved: API is down` */
  title: string;
  /** the text without title and link */
  body: string;
  /** the link; null without one */
  url: string | null;
  severity: Severity;
  /** whether the message announces the end of a problem */
  over: boolean;
  /**
   * Correlation key that connects the messages about the start and the end of one problem; null for a message without a
   * counterpart. Up to 64 letters, digits, `-` and `_`.
   */
  about: string | null;
}
