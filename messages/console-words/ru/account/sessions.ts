import type { SessionsWords } from '../../words/account/sessions.ts';

export const sessions: SessionsWords = {
  browser: 'Браузер',
  unknown: 'Неизвестно',
  current: 'Этот сеанс',
  address: 'Адрес',
  begun: 'Вход',
  ends: 'Истекает',
  end: 'Завершить',
  endTitle: 'Завершить этот сеанс?',
  endText: 'Выход произойдёт сразу.',
  endOthers: 'Завершить остальные',
  endAll: 'Завершить все',
  none: 'Сеансов нет.',
};
