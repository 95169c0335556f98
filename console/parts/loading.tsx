import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

/** A skeleton that replaces content while it loads. The stylesheet hides the skeleton for the first 200 ms. */
export const Loading = (): JSX.Element => (
  <div class="skeleton" role="status" aria-label={words.value.loading}>
    <span />
    <span />
    <span />
  </div>
);
