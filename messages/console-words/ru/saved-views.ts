import type { SavedViewsWords } from '../words/saved-views.ts';

export const savedViews: SavedViewsWords = {
  title: 'Виды',
  everything: 'Всё',
  none: 'Отфильтруйте список и сохраните здесь фильтр как вид.',
  save: 'Сохранить этот фильтр …',
  saveTitle: 'Сохранить фильтр как вид',
  manage: 'Управление видами …',
  manageTitle: 'Виды',
  byDefault: 'По умолчанию',
  openWith: 'Открывать список с этим видом',
  ofBrowser: 'Виды хранятся в этом браузере, только для вас.',
  deleted: 'Вид удалён.',
  problems: {
    empty: 'Введите название.',
    taken: 'У другого вида такое же название.',
    full: 'Уже есть 50 видов. Сначала удалите один.',
  },
};
