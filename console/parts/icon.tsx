import type { JSX } from 'preact';

/** SVG paths of the icons, for a square of 20 by 20 units. */
const STROKES = {
  overview: 'M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z',
  checks: 'M3 5l1.5 1.5L7 4M3 10l1.5 1.5L7 9M3 15l1.5 1.5L7 14M10 5h7M10 10h7M10 15h7',
  documentation: 'M4 3h8l4 4v10H4zM12 3v4h4M7 11h6M7 14h6',
  heartbeats: 'M2 10h4l2-5 4 10 2-5h4',
  alerts: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  pages: 'M3 4h14v12H3zM3 8h14',
  incidents: 'M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.3',
  maintenances: 'M4 5h12v12H4zM4 8.5h12M7.5 3v3M12.5 3v3',
  templates: 'M7 3h9v11M4 6h9v11H4z',
  groups: 'M3 6h5l1.5 2H17v8H3z',
  tags: 'M3 3h6l8 8-6 6-8-8zM6.5 6.5v.2',
  reports: 'M4 17V9M8 17V4M12 17v-6M16 17V7',
  secrets: 'M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3',
  runners: 'M10 17.5s5.5-5 5.5-9a5.5 5.5 0 0 0-11 0c0 4 5.5 9 5.5 9zM10 10.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  people: 'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17a5 5 0 0 1 10 0M13 4a2.5 2.5 0 0 1 0 5M14.5 12a5 5 0 0 1 3.5 5',
  person: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17.5a6.5 6.5 0 0 1 13 0',
  keys: 'M7 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l7-7M14 6l3 3',
  audit: 'M4 3h12v14H4zM7 7h6M7 10h6M7 13h3',
  plan: 'M3 5h14v10H3zM3 8.5h14M6 12h3',
  operator: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.2M6 13.5h.2',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5L17.5 17.5',
  add: 'M10 4v12M4 10h12',
  edit: 'M4 16l.7-3.3L13.5 4l2.5 2.5-8.7 8.8z',
  remove: 'M4 6h12M8 6V4h4v2M6 6l.7 11h6.6L14 6',
  more: 'M4.5 10h.1M10 10h.1M15.5 10h.1',
  copy: 'M7 7h9v10H7zM4 13V3h9',
  run: 'M6 4l10 6-10 6z',
  pause: 'M7 4v12M13 4v12',
  up: 'M10 16V4M5 9l5-5 5 5',
  down: 'M10 4v12M5 11l5 5 5-5',
  drag: 'M7 5h.1M13 5h.1M7 10h.1M13 10h.1M7 15h.1M13 15h.1',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  download: 'M10 3v10M6 9l4 4 4-4M4 17h12',
  upload: 'M10 13V3M6 7l4-4 4 4M4 17h12',
  reload: 'M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5',
  past: 'M4.5 5.5A7 7 0 1 1 3 10M4.5 2.5v3h3M10 6v4l2.5 2.5',
  menu: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5L5 15',
  leave: 'M8 4H4v12h4M12 6l4 4-4 4M16 10H8',
  unlocked: 'M5 9h10v8H5zM7 9V6a3 3 0 0 1 5.8-1',
} as const;

export type IconName = keyof typeof STROKES | 'logo';

/** An icon next to a word, or in a button with a label. */
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
