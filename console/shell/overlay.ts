import { signal } from '@preact/signals';

/** What is shown over the console: the palette, the palette as a choice of the page of a new incident, or the help. */
export type Overlay = 'palette' | 'new incident' | 'help';

/** What each of them gets. */
export interface OverlayProps {
  kind: Overlay;
}

/** What is shown over the console; null: nothing. */
export const overlay = signal<Overlay | null>(null);
