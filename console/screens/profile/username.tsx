import type { JSX } from 'preact';

/** A hidden field that shows password managers to which account a form belongs. */
export const Username = ({ email }: { email: string }): JSX.Element => (
  <input class="hidden" type="email" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={email} />
);
