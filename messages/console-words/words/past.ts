/** Texts of the control that shows past states of a screen. */
export interface PastWords {
  /** the button that opens the control, and the heading of the control */
  asItWas: string;
  /** explains the control while the present is shown */
  text: string;
  /** says which state is shown. @param moment with weekday, seconds and time zone */
  stateOf: (moment: string) => string;
  readOnly: string;
  backToNow: string;
  moment: string;
  show: string;
  /** label of the slider */
  change: string;
  previous: string;
  next: string;
  /** the position of the slider */
  changeOf: (number: number, count: number, moment: string) => string;
  beforeFirst: string;
  now: string;
  /** shown if the slider does not have all changes */
  truncated: (count: number) => string;
  noMoment: string;
  future: string;
  notYetTitle: string;
  notYet: (first: string) => string;
  showFirst: string;
  /** shown instead of a value that cannot be derived for past states */
  notKnown: string;
  /** shown instead of a part of a screen that has no past states */
  noPast: string;
}
