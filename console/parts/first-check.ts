import { signal } from '@preact/signals';

/** A check that was just created from an address. */
export interface FirstCheck {
  id: string;
  name: string;
}

/**
 * The newly created check whose first result is still missing. A message above the check's screen says so; null: none.
 */
export const firstCheck = signal<FirstCheck | null>(null);
