import { signal } from '@preact/signals';

/** What is shown over the console. `new incident`: the palette, for choosing the page of a new incident. */
export type Overlay = 'palette' | 'new incident' | 'help';

/** The props of each overlay. */
export interface OverlayProps {
  kind: Overlay;
}

/** The current overlay; null: none. */
export const overlay = signal<Overlay | null>(null);
