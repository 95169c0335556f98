/** Texts of the subscribers of a status page. */
export interface SubscribersWords {
  none: string;
  noneText: string;
  noMatch: string;
  add: string;
  import: string;
  export: string;
  search: string;
  searchHint: string;
  mode: string;
  modes: Readonly<Record<'email' | 'sms' | 'webhook', string>>;
  status: string;
  statuses: Readonly<Record<'active' | 'pending' | 'quarantined' | 'unsubscribed', string>>;
  paused: string;
  address: string;
  scope: string;
  /** scope of a subscription to the whole page */
  everything: string;
  componentsOf: (count: number) => string;
  oneIncident: string;
  since: string;
  count: (count: number) => string;
  purgedAt: string;
  addTitle: string;
  addText: string;
  email: string;
  phone: string;
  country: string;
  countryHint: string;
  endpoint: string;
  endpointHint: string;
  skipConfirmation: string;
  skipConfirmationHint: string;
  scopeHint: string;
  added: string;
  addedPending: string;
  secret: string;
  secretText: string;
  askAgain: string;
  askAgainText: string;
  editScope: string;
  pause: string;
  resume: string;
  rotate: string;
  rotateTitle: string;
  rotateText: string;
  deleteTitle: string;
  deleteText: (address: string) => string;
  deleted: string;
  importTitle: string;
  importText: string;
  file: string;
  importSkip: string;
  importSkipHint: string;
  /** result of an import, with the numbers of lines */
  imported: (added: number, unchanged: number, refused: number) => string;
  line: string;
  problem: string;
  /** the number of rejected lines that are not listed */
  moreLines: (count: number) => string;
  anotherFile: string;
  exporting: string;
}
