import type { SecretsWords } from '../words/secrets.ts';

export const secrets: SecretsWords = {
  title: 'Geheimnisse',
  text: 'Werte, die Skripte von Prüfungen lesen, ohne dass jemand sie sieht.',
  none: 'Es gibt noch kein Geheimnis',
  noneText:
    'Legen Sie hier ein Token oder Passwort ab und verknüpfen Sie es mit einer Prüfung, deren Skript es braucht.',
  create: 'Neues Geheimnis',
  name: 'Bezeichnung',
  nameHint: 'Buchstaben, Ziffern, Unterstriche, Punkte und Bindestriche. Sie lässt sich später nicht ändern.',
  value: 'Wert',
  newValue: 'Neuer Wert',
  valueHint: 'Er wird nicht wieder angezeigt.',
  replace: 'Wert ersetzen',
  replaceText: 'Läufe, die danach beginnen, lesen den neuen Wert.',
  replaced: (name) => `Der Wert von ${name} ist ersetzt.`,
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Der Wert wird überall vergessen. Das lässt sich nicht rückgängig machen. Solange Prüfungen es nutzen, bleibt es, und ihre Namen werden angezeigt.',
  updated: 'Wert gesetzt',
};
