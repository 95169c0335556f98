/** The list of secrets, and what is done with them. */
export interface SecretsWords {
  title: string;
  /** what secrets are for */
  text: string;
  none: string;
  noneText: string;
  create: string;
  name: string;
  nameHint: string;
  value: string;
  newValue: string;
  valueHint: string;
  replace: string;
  /** what happens when a value is replaced */
  replaceText: string;
  replaced: (name: string) => string;
  deleteTitle: (name: string) => string;
  deleteText: string;
  updated: string;
}
