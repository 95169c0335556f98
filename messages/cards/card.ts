import type { ComponentStatus } from '../../domain/page/component-status.ts';

/** Pixels of a card, as Open Graph and Twitter show them whole. */
export const CARD = { width: 1200, height: 630 } as const;

/** What a card says: the picture that stands beside a link to a page. Texts are as people wrote them. */
export interface Card {
  /** name of the page */
  page: string;
  /** how things are, in a sentence, or the name of an incident */
  title: string;
  /** affected components, or the status of the incident; empty: none */
  detail: string;
  /** where the page is, without its scheme */
  foot: string;
  state: ComponentStatus;
  rightToLeft: boolean;
}

/** A card whose texts are in letters of the font, and in lines that fit. */
export interface FittedCard extends Pick<Card, 'state' | 'rightToLeft'> {
  page: string;
  title: { size: number; lines: readonly string[] };
  detail: readonly string[];
  foot: string;
}

/** Where everything stands, in pixels. */
export const CARD_LAYOUT = {
  margin: 80,
  page: { size: 40, y: 112 },
  mark: { size: 96, y: 164 },
  title: { y: 350, lineHeight: 1.22, sizes: [68, 58, 48], lines: 2 },
  detail: { size: 34, lineHeight: 46, lines: 2 },
  foot: { size: 28, y: 574 },
} as const;

/** A picture of a card, and whether it is of this card: else of an earlier one, or without texts. */
export interface CardPicture {
  png: Uint8Array;
  isCurrent: boolean;
}

/** What a card is the picture of: cards of one subject follow each other. */
export interface CardSubject {
  pageId: string;
  /** unique within the page */
  name: string;
}

export type CardPictureOf = (subject: CardSubject, card: Card) => Promise<CardPicture>;
