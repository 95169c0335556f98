import type { JSX } from 'preact';

/** Strokes in a square of 20. */
const STROKES = {
  overview: 'M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z',
  checks: 'M3 5l1.5 1.5L7 4M3 10l1.5 1.5L7 9M3 15l1.5 1.5L7 14M10 5h7M10 10h7M10 15h7',
  documentation: 'M4 3h8l4 4v10H4zM12 3v4h4M7 11h6M7 14h6',
  menu: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5L5 15',
  leave: 'M8 4H4v12h4M12 6l4 4-4 4M16 10H8',
  unlocked: 'M5 9h10v8H5zM7 9V6a3 3 0 0 1 5.8-1',
} as const;

export type IconName = keyof typeof STROKES | 'logo';

/** A sign beside a word, or in a button that has a label. */
export const Icon = ({ name }: { name: IconName }): JSX.Element =>
  name === 'logo' ? (
    <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" />
      <path d="M5.8 10.4l2.9 2.9 5.5-6" />
    </svg>
  ) : (
    <svg class="sign" viewBox="0 0 20 20" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
