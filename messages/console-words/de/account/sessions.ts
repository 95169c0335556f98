import type { SessionsWords } from '../../words/account/sessions.ts';

export const sessions: SessionsWords = {
  browser: 'Programm',
  unknown: 'Unbekannt',
  current: 'Diese Sitzung',
  address: 'Adresse',
  begun: 'Angemeldet',
  ends: 'Endet',
  end: 'Beenden',
  endTitle: 'Diese Sitzung beenden?',
  endText: 'Sie wird sofort abgemeldet.',
  endOthers: 'Alle anderen beenden',
  endAll: 'Alle beenden',
  none: 'Es gibt keine Sitzungen.',
};
