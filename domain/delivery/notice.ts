import type { Severity } from '../alert-rule/fields.ts';

/** A message in the parts that chat and push services show apart. */
export interface Notice {
  /** one line: `[High] API is down`, `Resolved: API is down` */
  title: string;
  /** the rest, without the link */
  body: string;
  /** where to look; null: nowhere */
  url: string | null;
  severity: Severity;
  /** it says that what began is over */
  over: boolean;
  /**
   * the same in the message that something began and in the one that it is over, and in no others; a letter, digit,
   * `-` or `_`, up to 64 of them; null: the message stands alone
   */
  about: string | null;
}
