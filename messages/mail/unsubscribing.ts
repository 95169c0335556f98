import { manageAddressOf } from '../../domain/subscriber/links.ts';

/** Addresses of a receiver's own pages: one ends the subscription, one changes it. */
export interface OwnLinks {
  unsubscribe: string;
  manage: string;
}

/** Stand for a receiver's own links. No other text in a message has these characters: `clean` drops them. */
export const PLACES: OwnLinks = { unsubscribe: '\u0001', manage: '\u0002' };

/** The links of the receiver whose subscription ends at an address. */
export const ownLinksOf = (unsubscribe: string): OwnLinks => ({ unsubscribe, manage: manageAddressOf(unsubscribe) });

/** Makes a function that puts a receiver's links into a text, once what all receivers share is made. */
export const fillingIn = (text: string): ((links: OwnLinks) => string) => {
  // Every second piece is a place.
  const pieces = text.split(/([\u0001\u0002])/);
  return ({ unsubscribe, manage }) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : piece === PLACES.manage ? manage : unsubscribe)).join('');
};
