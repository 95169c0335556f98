import type { JSX } from 'preact';

/** A circle in the colour of a group, unfilled if the group has no colour. */
export const Swatch = ({ color }: { color: string | null }): JSX.Element => (
  <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="7" {...(color !== null && { fill: color, class: 'filled' })} />
  </svg>
);
