import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

export interface PagerProps {
  pagination: { page: number; total_pages: number; total_items: number };
  onPage: (page: number) => void;
}

/** Pagination of a list; renders nothing for a single page. */
export const Pager = ({ pagination: { page, total_pages, total_items }, onPage }: PagerProps): JSX.Element | null => {
  const { pages, previous, next, pageOf } = words.value.common;
  if (total_pages <= 1) return null;
  const go = (to: number) => () => {
    onPage(to);
  };
  return (
    <nav class="pager" aria-label={pages}>
      <button class="button" disabled={page <= 1} onClick={go(page - 1)}>
        {previous}
      </button>
      <span>{pageOf(page, total_pages, total_items)}</span>
      <button class="button" disabled={page >= total_pages} onClick={go(page + 1)}>
        {next}
      </button>
    </nav>
  );
};
