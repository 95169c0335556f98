import type { ComponentStatus } from '../../domain/page/component-status.ts';

/** Card size in pixels, which Open Graph and Twitter show uncropped. */
export const CARD = { width: 1200, height: 630 } as const;

/** The content of a card: the preview picture shown next to a link to a page. Texts are untrusted. */
export interface Card {
  /** page name */
  page: string;
  /** the overall state in a sentence, or the incident name */
  title: string;
  /** affected components, or the incident status; empty: none */
  detail: string;
  /** the page's URL without its scheme */
  foot: string;
  state: ComponentStatus;
  rightToLeft: boolean;
}

/** A card whose texts use only letters of the font and are broken into lines that fit. */
export interface FittedCard extends Pick<Card, 'state' | 'rightToLeft'> {
  page: string;
  title: { size: number; lines: readonly string[] };
  detail: readonly string[];
  foot: string;
}

/** Layout of a card, in pixels. */
export const CARD_LAYOUT = {
  margin: 80,
  page: { size: 40, y: 112 },
  mark: { size: 96, y: 164 },
  title: { y: 350, lineHeight: 1.22, sizes: [68, 58, 48], lines: 2 },
  detail: { size: 34, lineHeight: 46, lines: 2 },
  foot: { size: 28, y: 574 },
} as const;

/** A picture of a card. `isCurrent` is false if it shows an earlier card or no texts. */
export interface CardPicture {
  png: Uint8Array;
  isCurrent: boolean;
}

/** Identifies what a card depicts. Cards of the same subject replace each other. */
export interface CardSubject {
  pageId: string;
  /** unique within the page */
  name: string;
}

export type CardPictureOf = (subject: CardSubject, card: Card) => Promise<CardPicture>;
