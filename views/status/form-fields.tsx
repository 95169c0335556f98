import type { JSX } from 'preact';

/** The error message of a submitted form; screen readers announce it. */
export const FormError = ({ text }: { text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="problem" role="alert" id="problem">
      {text}
    </p>
  );

/** The address that a form leads back to, relative to the page's root. */
export const ReturnField = ({ to }: { to: string }): JSX.Element => <input type="hidden" name="return" value={to} />;
