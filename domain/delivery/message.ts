import type { Severity } from '../alert-rule/fields.ts';

/** A message in parts for chat and push services. */
export interface DeliveryMessage {
  /** one line: `[High] API is down`, `Resolved: API is down` */
  title: string;
  /** the rest, without the link */
  body: string;
  /** the link; null without one */
  url: string | null;
  severity: Severity;
  /** whether it announces the end of a problem */
  over: boolean;
  /**
   * correlation key of the messages about the start and the end of one problem; up to 64 letters, digits, `-` and `_`;
   * null for a message without a counterpart
   */
  about: string | null;
}
