import type { JSX } from 'preact';

/** Tells password managers whose password a form is about. */
export const Username = ({ email }: { email: string }): JSX.Element => (
  <input class="hidden" type="email" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={email} />
);
