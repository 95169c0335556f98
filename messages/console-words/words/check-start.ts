/** The form that creates a check of an address, and what it says of the first result. */
export interface CheckStartWords {
  question: string;
  example: string;
  address: string;
  /** the address can't be understood */
  unclear: string;
  proposal: string;
  name: string;
  type: string;
  keyword: string;
  keywordHint: string;
  certificate: string;
  /** days for which the certificate must be valid */
  certificateDays: (days: number) => string;
  every: string;
  submit: string;
  /** leads to the whole form */
  moreSettings: string;
  newCheck: string;
  waiting: (name: string) => string;
  isUp: (name: string) => string;
  isDown: (name: string) => string;
  nextPage: string;
  createPage: string;
  editCheck: string;
}
