/** The parts of an e-mail that recipients read. */
export interface Mail {
  /** one line */
  subject: string;
  text: string;
  html: string;
}
