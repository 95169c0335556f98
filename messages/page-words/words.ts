/**
 * What the pages for visitors say by themselves, in one language; names of statuses are in `messages/words`. A key that a
 * language lacks does not compile. Functions get texts as people wrote them and return text, never HTML.
 */
export interface PageWords {
  /** for screen readers, first on each page */
  skipToContent: string;
  history: string;
  subscribe: string;
  /** back to the page's root */
  backTo: (page: string) => string;
  /** titles of error pages */
  notFound: string;
  notFoundText: string;
}
