import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

/** Grey lines in place of what is being loaded; the stylesheet shows them after 200 ms. */
export const Loading = (): JSX.Element => (
  <div class="skeleton" role="status" aria-label={words.value.loading}>
    <span />
    <span />
    <span />
  </div>
);
