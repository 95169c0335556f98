import type { JSX } from 'preact';

/** What is wrong with a form that was sent; announced by screen readers. */
export const Problem = ({ text }: { text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="problem" role="alert" id="problem">
      {text}
    </p>
  );

/** Where a form leads back to, relative to the page's root. */
export const Back = ({ to }: { to: string }): JSX.Element => <input type="hidden" name="return" value={to} />;
