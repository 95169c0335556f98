import type { LinksWords } from '../../words/account/links.ts';

export const links: LinksWords = {
  invitationTitle: 'Einladung annehmen',
  invitationText: 'Wählen Sie ein Passwort, um beizutreten:',
  resetTitle: 'Neues Passwort setzen',
  resetText: 'Sie werden überall abgemeldet. Für Ihr Konto bei:',
  accept: 'Annehmen',
  setPassword: 'Passwort setzen',
  set: 'Ihr Passwort ist gesetzt',
  setText: 'Melden Sie sich jetzt damit an.',
  toSignIn: 'Zur Anmeldung',
  accepted: {
    title: 'Diese Einladung wurde angenommen',
    text: 'Sie können sich mit E-Mail-Adresse und Passwort anmelden.',
  },
  superseded: {
    title: 'Es gibt eine neuere Einladung',
    text: 'Benutzen Sie den Link der neuesten Nachricht.',
  },
  gone: {
    title: 'Dieser Link gilt nicht',
    text: 'Er wurde benutzt, ist abgelaufen oder unvollständig. Fordern Sie einen neuen an.',
  },
  forgottenTitle: 'Passwort vergessen',
  forgottenText:
    'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, mit dem Sie eine Stunde lang ein neues Passwort setzen können.',
  sendLink: 'Link senden',
  sent: 'Wenn sich jemand mit dieser E-Mail-Adresse hier anmelden kann, ist ein Link unterwegs.',
  notArrived:
    'Nichts kommt an? Vielleicht verschickt der Dienst keine E-Mails. Bitten Sie, wer ihn betreibt, um einen Link:',
  command: 'Befehl auf dem Server',
};
