import { plurals } from '../../words/plurals.ts';
import type { CheckStartWords } from '../words/check-start.ts';

const days = plurals('ru', { one: 'день', few: 'дня', many: 'дней', other: 'дня' });

export const checkStart: CheckStartWords = {
  question: 'Что нужно проверять?',
  example: 'Например, shop.example.com, https://api.example.com/health, db.example.com:5432',
  address: 'Адрес',
  unclear: 'Введите URL, хост с портом или без него либо IP-адрес.',
  proposal: 'Вот что будет проверяться',
  name: 'Название',
  type: 'Тип',
  keyword: 'Текст, который должен быть',
  keywordHint: 'Слово со страницы или из ответа, чтобы страница с ошибкой считалась сбоем.',
  certificate: 'Сертификат',
  certificateDays: (count) => `должен действовать ещё ${days(count)}`,
  every: 'Запуск каждые',
  submit: 'Начать проверку',
  moreSettings: 'Все настройки',
  newCheck: 'Новая проверка',
  waiting: (name) => `${name}: ожидается первый результат …`,
  isUp: (name) => `${name}: всё в порядке.`,
  isDown: (name) => `${name}: сбой.`,
  nextPage: 'Затем страница статуса покажет это тем, кто от этого зависит.',
  createPage: 'Создать страницу статуса',
  editCheck: 'Изменить проверку',
};
