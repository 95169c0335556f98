import type { SessionsWords } from '../../words/account/sessions.ts';

export const sessions: SessionsWords = {
  browser: 'Navigateur',
  unknown: 'Inconnu',
  current: 'Cette session',
  address: 'Adresse IP',
  begun: 'Connexion',
  ends: 'Fin',
  end: 'Terminer',
  endTitle: 'Terminer cette session ?',
  endText: 'Elle est déconnectée immédiatement.',
  endOthers: 'Terminer toutes les autres',
  endAll: 'Terminer toutes',
  none: 'Il n’y a aucune session.',
};
