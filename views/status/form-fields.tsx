import type { JSX } from 'preact';

/** The error message for a submitted form. Screen readers announce the message. */
export const FormError = ({ text }: { text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="problem" role="alert" id="problem">
      {text}
    </p>
  );

/** A hidden field with the address to which the form redirects, relative to the page's root. */
export const ReturnField = ({ to }: { to: string }): JSX.Element => <input type="hidden" name="return" value={to} />;
