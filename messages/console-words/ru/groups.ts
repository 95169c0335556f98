import { plurals } from '../../words/plurals.ts';
import type { GroupWords } from '../words/groups.ts';

export const groups: GroupWords = {
  new: 'Новая группа',
  empty: 'Групп пока нет',
  emptyText:
    'Группа объединяет связанные проверки, например одного сервиса. Она показывает их состояние и может приостановить их вместе.',
  checks: plurals('ru', { one: 'проверка', few: 'проверки', other: 'проверок' }),
  ungrouped: 'Проверки без группы',
  pausedGroup: 'группа приостановлена',
  moveUp: 'Выше',
  moveDown: 'Ниже',
  drag: 'Перетащить на другое место',
  moved: (name, place, count) => `${name}: место ${place} из ${count}`,
  color: 'Цвет',
  noColor: 'Без цвета',
  otherColor: 'Код цвета',
  active: 'Проверки этой группы выполняются',
  activeHint: 'Иначе ни одна не запускается сама.',
  deleteTitle: 'Удалить группу?',
  deleteText: (checks) => `В группе ${checks}: они сохранятся и останутся без группы.`,
};
