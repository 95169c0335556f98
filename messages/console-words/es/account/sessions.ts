import type { SessionsWords } from '../../words/account/sessions.ts';

export const sessions: SessionsWords = {
  browser: 'Navegador',
  unknown: 'Desconocido',
  current: 'Esta sesión',
  address: 'Dirección',
  begun: 'Iniciada',
  ends: 'Termina',
  end: 'Terminar',
  endTitle: '¿Terminar esta sesión?',
  endText: 'Se cerrará de inmediato.',
  endOthers: 'Terminar todas las demás',
  endAll: 'Terminar todas',
  none: 'No hay sesiones.',
};
