import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

/** A skeleton; the stylesheet shows it after 200 ms. */
export const Loading = (): JSX.Element => (
  <div class="skeleton" role="status" aria-label={words.value.loading}>
    <span />
    <span />
    <span />
  </div>
);
