import type { PageWords } from './words.ts';

export const en: PageWords = {
  skipToContent: 'Skip to content',
  history: 'History',
  subscribe: 'Subscribe',
  backTo: (page) => `Back to ${page}`,
  notFound: 'Page not found',
  notFoundText: 'There is nothing at this address. It may have been removed, or the link is incomplete.',
};
