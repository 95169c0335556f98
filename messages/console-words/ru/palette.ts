import { plurals } from '../../words/plurals.ts';
import type { PaletteWords } from '../words/palette.ts';

export const palette: PaletteWords = {
  title: 'Поиск и команды',
  placeholder: 'Найти проверки, страницы, действия …',
  groups: {
    recent: 'Недавно открытые',
    screens: 'Экраны',
    actions: 'Действия',
    checks: 'Проверки',
    heartbeats: 'Heartbeat-мониторы',
    pages: 'Страницы статуса',
    more: 'Ещё',
  },
  newCheck: 'Новая проверка',
  newHeartbeat: 'Новый heartbeat',
  newIncident: 'Новый инцидент',
  choice: (preference, option) => `${preference}: ${option}`,
  inList: (text) => `Отфильтровать проверки по «${text}»`,
  choosePage: 'На какой странице показать инцидент?',
  noPages: 'Пока нет страницы статуса, на которой можно опубликовать инцидент.',
  searching: 'Поиск …',
  results: plurals('ru', { one: 'результат', few: 'результата', many: 'результатов', other: 'результата' }),
  nothing: 'Ничего не найдено.',
};
