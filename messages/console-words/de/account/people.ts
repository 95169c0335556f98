import type { PeopleWords } from '../../words/account/people.ts';

export const people: PeopleWords = {
  person: 'Wer',
  role: 'Rolle',
  status: 'Stand',
  lastSignIn: 'Letzte Anmeldung',
  never: 'Nie',
  you: 'Das sind Sie',
  members: 'Mitglieder',
  removed: 'Entfernt',
  nobody: 'Noch kann sich niemand anmelden. Laden Sie jemanden per E-Mail ein.',
  nobodyRemoved: 'Es wurde niemand entfernt.',
  invite: 'Einladen',
  inviteTitle: 'Jemanden einladen',
  inviteText: 'Die Person erhält einen Link, der 7 Tage gilt, und wählt selbst ein Passwort.',
  linkTitle: 'Einladungslink',
  linkText:
    'Hier werden keine E-Mails verschickt. Geben Sie diesen Link selbst weiter; er wird nur jetzt angezeigt. Für:',
  changeRole: 'Rolle ändern',
  resend: 'Erneut senden',
  resendTitle: 'Einladung erneut senden?',
  resendText: 'Der bisherige Link gilt dann nicht mehr. An:',
  removeTitle: 'Diese Person entfernen?',
  removeText: 'Sitzungen und API-Schlüssel enden sofort. Der Name bleibt im Protokoll.',
  statuses: {
    active: 'Aktiv',
    invited: 'Eingeladen',
    disabled: 'Entfernt',
  },
  roleTexts: {
    viewer: 'Sieht alles, was überwacht wird, und ändert nichts. Sieht keine Geheimnisse.',
    editor: 'Ändert auch Prüfungen, Alarme, Seiten und Störungen.',
    admin: 'Verwaltet auch Personen, Schlüssel, Tarif und Organisation.',
    billing: 'Sieht wie „Nur lesen“ und kümmert sich um Tarif, Zahlungen und Protokoll.',
  },
};
