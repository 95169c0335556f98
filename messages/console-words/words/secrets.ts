/** Texts of the secrets screen. */
export interface SecretsWords {
  title: string;
  /** explains what secrets are for */
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
  /** explains the effect of replacing a value */
  replaceText: string;
  replaced: (name: string) => string;
  deleteTitle: (name: string) => string;
  deleteText: string;
  updated: string;
}
