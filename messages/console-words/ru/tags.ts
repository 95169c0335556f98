import { plurals } from '../../words/plurals.ts';
import type { TagWords } from '../words/tags.ts';

const checks = plurals('ru', { one: 'проверка', few: 'проверки', other: 'проверок' });
const heartbeats = plurals('ru', { one: 'heartbeat', other: 'heartbeat' });

export const tags: TagWords = {
  tag: 'Метка',
  filter: 'Фильтр меток',
  matches: plurals('ru', { one: 'метка', few: 'метки', other: 'меток' }),
  noMatch: 'Нет меток с таким текстом.',
  empty: 'Меток пока нет',
  emptyText:
    'Метки задаются при редактировании проверок и heartbeat. Правила оповещений, компоненты и отчёты могут указывать метку вместо проверки.',
  checks: 'Проверки',
  failing: 'Недоступно',
  heartbeats: 'Сигналы heartbeat',
  late: 'Опаздывают',
  more: plurals('ru', {
    one: 'метка не показана: уточните фильтр',
    few: 'метки не показаны: уточните фильтр',
    other: 'меток не показано: уточните фильтр',
  }),
  rename: 'Переименовать',
  newName: 'Новое название',
  rule: 'Только строчные латинские буквы, цифры и . _ : -, не более 50.',
  renameTitle: (tag) => `Переименовать метку ${tag}`,
  renameText: 'Если метка с новым названием уже есть, обе станут одной.',
  removeTitle: (tag) => `Убрать метку ${tag} везде?`,
  removeText: 'Это нельзя отменить.',
  affected: (ofChecks, ofHeartbeats) => `С этой меткой: ${checks(ofChecks)}, ${heartbeats(ofHeartbeats)}.`,
  kept: 'Правила оповещений, компоненты и отчёты, где указана метка, не меняются.',
  rules: plurals('ru', {
    one: 'правило оповещений указывает её',
    few: 'правила оповещений указывают её',
    other: 'правил оповещений указывают её',
  }),
};
