import type { JSX } from 'preact';

/** Tells password managers which account a form belongs to. */
export const Username = ({ email }: { email: string }): JSX.Element => (
  <input class="hidden" type="email" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={email} />
);
