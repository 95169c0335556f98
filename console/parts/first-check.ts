import { signal } from '@preact/signals';

/** A check that was just created from an address. */
export interface FirstCheck {
  id: string;
  name: string;
}

/**
 * The newly created check whose first result is still missing; null: none. A message above the check's screen says that
 * the first result is pending.
 */
export const firstCheck = signal<FirstCheck | null>(null);
