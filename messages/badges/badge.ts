import type * as BadgeMaker from 'badge-maker';
import { createRequire } from 'node:module';
import { lazy } from '../../domain/lazy.ts';
import { oneLine } from '../characters.ts';
import type { Colour } from '../colours.ts';

/** Loaded for the first badge: its tables of text widths take 40 ms and 3 MiB. */
const badgeMaker = lazy(() => createRequire(import.meta.url)('badge-maker') as typeof BadgeMaker);

/** The styles of badges, by their names on shields.io. */
export const BADGE_STYLES = ['flat', 'flat-square', 'plastic', 'for-the-badge', 'social'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** UTF-16 units of a label, and of what a badge says; what is longer is cut off with an ellipsis. */
const LONGEST_LABEL = 64;
const LONGEST_MESSAGE = 80;

export interface Badge {
  label: string;
  message: string;
  color: Colour;
  style?: BadgeStyle;
}

/** A badge as SVG. Its texts may be anybody's: they are cut off, and escaped. */
export const badgeSvg = ({ label, message, color, style = 'flat' }: Badge): string =>
  badgeMaker().makeBadge({
    label: oneLine(label, LONGEST_LABEL),
    // Without a text the other half would be a stripe.
    message: oneLine(message, LONGEST_MESSAGE) || '–',
    color,
    style,
  });
