import { signal } from '@preact/signals';

/** A check that was just created from an address. */
export interface FirstCheck {
  id: string;
  name: string;
}

/** The check whose first result is awaited above its screen; null: none. */
export const firstCheck = signal<FirstCheck | null>(null);
