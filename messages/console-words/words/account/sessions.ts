/** Texts of the sessions screen. */
export interface SessionsWords {
  browser: string;
  unknown: string;
  current: string;
  address: string;
  begun: string;
  ends: string;
  end: string;
  endTitle: string;
  endText: string;
  endOthers: string;
  endAll: string;
  none: string;
}
