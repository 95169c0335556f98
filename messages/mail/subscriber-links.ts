import { manageAddressOf } from '../../domain/subscriber/links.ts';

/** The addresses of a recipient's own pages, for unsubscribing and for changing the subscription. */
export interface OwnLinks {
  unsubscribe: string;
  manage: string;
}

/**
 * Placeholders for a recipient's own links. No other text in a message contains these characters, since `clean` removes
 * them.
 */
export const PLACES: OwnLinks = { unsubscribe: '\u0001', manage: '\u0002' };

/** The links of a recipient, by the address for unsubscribing. */
export const ownLinksOf = (unsubscribe: string): OwnLinks => ({ unsubscribe, manage: manageAddressOf(unsubscribe) });

/** Returns a function that inserts a recipient's links into a text. The text is split only once for all recipients. */
export const fillingIn = (text: string): ((links: OwnLinks) => string) => {
  // Every second piece is a placeholder.
  const pieces = text.split(/([\u0001\u0002])/);
  return ({ unsubscribe, manage }) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : piece === PLACES.manage ? manage : unsubscribe)).join('');
};
