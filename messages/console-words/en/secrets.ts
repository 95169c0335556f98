import type { SecretsWords } from '../words/secrets.ts';

export const secrets: SecretsWords = {
  title: 'Secrets',
  text: 'Values that check scripts can read without anybody seeing them.',
  none: 'No secrets yet',
  noneText: 'Store a token or a password here, and bind it to a check whose script needs it.',
  create: 'New secret',
  name: 'Name',
  nameHint: 'Letters, digits, underscores, dots and hyphens. It can’t be changed later.',
  value: 'Value',
  newValue: 'New value',
  valueHint: 'It is not shown again.',
  replace: 'Replace the value',
  replaceText: 'Runs that start afterwards read the new value.',
  replaced: (name) => `The value of ${name} was replaced.`,
  deleteTitle: (name) => `Delete ${name}?`,
  deleteText:
    'Its value is erased everywhere. This can’t be undone. If checks still use it, it is not deleted, and their names are shown.',
  updated: 'Value set',
};
