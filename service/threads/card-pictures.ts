import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Card, CardPicture, CardPictureOf } from '../../messages/cards/card.ts';
import { plainPng } from '../../messages/cards/plain-png.ts';
import { createCardDrawing, type DrawCard } from './card-drawing.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Maximum total size of the cached pictures, in bytes. Each picture has about 30 KB. */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Maximum number of entries in each of two caches. The first cache contains the most recent picture of each subject,
 * and the second cache contains the number of drawings for each page.
 */
const MAX_KNOWN = 2_000;
/**
 * Maximum number of cards that are drawn for one page per minute. It is enough for a few changing incidents in some
 * languages.
 */
const PER_MINUTE = 20;
/** Maximum number of cards that wait for the thread, for all pages together. */
const MAX_WAITING = 20;

export interface CardPicturesOptions {
  draw?: DrawCard;
  /** returns milliseconds of a monotonic clock */
  clock?: () => number;
  /** called if a card could not be drawn */
  trouble?: (error: unknown) => void;
}

/**
 * Creates a cache of card pictures. Concurrent requests for the same card share one drawing. Visitors can't cause an
 * unlimited number of drawings: if too many cards were drawn for a page within a minute, or if too many are waiting,
 * the result is the most recent picture of the same subject. If there is none, the result is a picture without texts.
 */
export const createCardPictures = ({
  draw = createCardDrawing().draw,
  clock = () => performance.now(),
  trouble = () => undefined,
}: CardPicturesOptions = {}): CardPictureOf => {
  const pictures = new LRUCache<string, Uint8Array>({ maxSize: MAX_BYTES, sizeCalculation: ({ length }) => length });
  const lastOf = new LRUCache<string, string>({ max: MAX_KNOWN });
  const drawn = new LRUCache<string, { since: number; count: number }>({ max: MAX_KNOWN });
  const underWay = new Map<string, Promise<Uint8Array>>();

  /** Counts a drawing for a page. Returns whether the drawing is within the limit. */
  const mayDraw = (pageId: string): boolean => {
    if (underWay.size >= MAX_WAITING) return false;
    const found = drawn.get(pageId);
    const now = clock();
    const minute = found && now - found.since < MINUTE_MS ? found : { since: now, count: 0 };
    drawn.set(pageId, minute);
    minute.count += 1;
    return minute.count <= PER_MINUTE;
  };

  const instead = (subject: string, { state }: Card): CardPicture => {
    const last = pictures.get(lastOf.get(subject) ?? '');
    return { png: last ?? plainPng(state), isCurrent: false };
  };

  const begin = (key: string, card: Card): Promise<Uint8Array> => {
    const drawing = draw(card)
      .then((png) => {
        pictures.set(key, png);
        return png;
      })
      .finally(() => {
        underWay.delete(key);
      });
    underWay.set(key, drawing);
    return drawing;
  };

  return async ({ pageId, name }, card) => {
    const subject = `${pageId} ${name}`;
    const key = hash('sha256', JSON.stringify(card), 'base64');
    const known = pictures.get(key);
    if (known) {
      lastOf.set(subject, key);
      return { png: known, isCurrent: true };
    }
    const found = underWay.get(key);
    if (!found && !mayDraw(pageId)) return instead(subject, card);
    try {
      const png = await (found ?? begin(key, card));
      lastOf.set(subject, key);
      return { png, isCurrent: true };
    } catch (error) {
      trouble(error);
      return instead(subject, card);
    }
  };
};
