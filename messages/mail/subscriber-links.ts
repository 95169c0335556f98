import { manageAddressOf } from '../../domain/subscriber/links.ts';

/** The URLs with which one recipient unsubscribes and changes the subscription. */
export interface SubscriberLinks {
  unsubscribe: string;
  manage: string;
}

/**
 * Placeholders for a recipient's own links. No other text in a message contains these characters, because `clean`
 * removes them.
 */
export const LINK_PLACEHOLDERS: SubscriberLinks = { unsubscribe: '\u0001', manage: '\u0002' };

/** Returns the links of a recipient, derived from the recipient's unsubscribe URL. */
export const subscriberLinksOf = (unsubscribe: string): SubscriberLinks => ({
  unsubscribe,
  manage: manageAddressOf(unsubscribe),
});

/**
 * Returns a function that inserts a recipient's links into a text. The text is split only once, however many recipients
 * there are.
 */
export const createLinkInserter = (text: string): ((links: SubscriberLinks) => string) => {
  // `split` also returns the matched placeholders: every second piece is one.
  const pieces = text.split(/([\u0001\u0002])/);
  return ({ unsubscribe, manage }) =>
    pieces
      .map((piece, index) => (index % 2 === 0 ? piece : piece === LINK_PLACEHOLDERS.manage ? manage : unsubscribe))
      .join('');
};
