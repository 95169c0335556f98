import type * as BadgeMaker from 'badge-maker';
import { createRequire } from 'node:module';
import { lazy } from '../../domain/concurrency/lazy.ts';
import { oneLine } from '../characters.ts';
import type { Colour } from '../colours.ts';

/** Loaded when the first badge is rendered, because its tables of text widths take 40 ms and 3 MiB. */
const badgeMaker = lazy(() => createRequire(import.meta.url)('badge-maker') as typeof BadgeMaker);

/** Badge styles, named as on shields.io. */
export const BADGE_STYLES = ['flat', 'flat-square', 'plastic', 'for-the-badge', 'social'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** Maximum lengths of the label and the message, in UTF-16 units. Longer texts are truncated with an ellipsis. */
const LONGEST_LABEL = 64;
const LONGEST_MESSAGE = 80;

export interface Badge {
  label: string;
  message: string;
  color: Colour;
  style?: BadgeStyle;
}

/** Returns a badge as SVG. Its texts are untrusted: they are truncated and escaped. */
export const badgeSvg = ({ label, message, color, style = 'flat' }: Badge): string =>
  badgeMaker().makeBadge({
    label: oneLine(label, LONGEST_LABEL),
    // With an empty message, the right half of the badge would be a narrow stripe. A dash avoids this.
    message: oneLine(message, LONGEST_MESSAGE) || '–',
    color,
    style,
  });
