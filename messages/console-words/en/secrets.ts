import type { SecretsWords } from '../words/secrets.ts';

export const secrets: SecretsWords = {
  title: 'Secrets',
  text: 'Values that scripts of checks read without anybody seeing them.',
  none: 'There is no secret yet',
  noneText: 'Store a token or a password here, and bind it to a check whose script needs it.',
  create: 'New secret',
  name: 'Name',
  nameHint: 'Letters, digits, underscores, points and hyphens. It can’t be changed later.',
  value: 'Value',
  newValue: 'New value',
  valueHint: 'It is not shown again.',
  replace: 'Replace the value',
  replaceText: 'Runs that begin from then on read the new value.',
  replaced: (name) => `The value of ${name} is replaced.`,
  deleteTitle: (name) => `Delete ${name}?`,
  deleteText:
    'Its value is forgotten everywhere. This can’t be undone. While checks use it, it stays, and their names are shown.',
  updated: 'Value set',
};
