/** Texts of the form that creates a check from an address, and of its first result. */
export interface CheckStartWords {
  question: string;
  example: string;
  address: string;
  /** shown if the address was not recognised */
  unclear: string;
  proposal: string;
  name: string;
  type: string;
  keyword: string;
  keywordHint: string;
  certificate: string;
  /** the number of days for which the certificate must be valid */
  certificateDays: (days: number) => string;
  every: string;
  submit: string;
  /** text of the link to the complete form */
  moreSettings: string;
  newCheck: string;
  waiting: (name: string) => string;
  isUp: (name: string) => string;
  isDown: (name: string) => string;
  nextPage: string;
  createPage: string;
  editCheck: string;
}
