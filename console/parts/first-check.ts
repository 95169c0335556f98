import { signal } from '@preact/signals';

/** A check that was just created from an address. */
export interface FirstCheck {
  id: string;
  name: string;
}

/** The new check whose screen shows, above its content, that the first result is being awaited; null: none. */
export const firstCheck = signal<FirstCheck | null>(null);
