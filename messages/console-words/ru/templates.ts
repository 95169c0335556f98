import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'Новый шаблон',
  name: 'Название шаблона',
  nameHint: 'Его видит только ваша команда.',
  kind: 'Для чего',
  allPages: 'Все страницы статуса',
  leftOpen: 'На усмотрение автора',
  none: 'Шаблонов ещё нет. Сохраните то, что пишете снова и снова, и начинайте с этого.',
  deleteTitle: 'Удалить этот шаблон?',
  kinds: { incident: 'Инцидент', maintenance: 'Работы' },
  useOn: (page) => `Использовать на странице ${page}`,
};
