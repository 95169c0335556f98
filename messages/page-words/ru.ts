import type { PageWords } from './words.ts';

export const ru: PageWords = {
  skipToContent: 'Перейти к содержанию',
  history: 'История',
  subscribe: 'Подписаться',
  backTo: (page) => `Назад: ${page}`,
  notFound: 'Страница не найдена',
  notFoundText: 'По этому адресу ничего нет. Возможно, страница удалена или ссылка неполная.',
};
