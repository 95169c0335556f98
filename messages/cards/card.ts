import type { ComponentStatus } from '../../domain/page/component-status.ts';

/** Size of a card in pixels. Sites that support Open Graph, and Twitter, show pictures of this size uncropped. */
export const CARD = { width: 1200, height: 630 } as const;

/**
 * The content of a card. A card is the preview picture that other sites show next to a link to a page. Its texts are
 * untrusted.
 */
export interface Card {
  /** page name */
  page: string;
  /** a sentence about the overall state, or the name of the incident */
  title: string;
  /** the affected components, or the status of the incident; may be empty */
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

/** A rendered card. `isCurrent` is false if the picture shows an earlier version of the card, or contains no texts. */
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
