import { distinctAddresses, mailAddressOf, mailIdentity } from '../mail/address.ts';
import { isMaskedEmail, maskedEmail } from '../subscriber/masked.ts';
import { nothingMasked, type Say } from './problems.ts';

/** Messages of one alert to one channel: each recipient gets one. */
export const MOST_RECIPIENTS = 50;

/**
 * The recipients of an e-mail channel as a caller sends them; addresses that differ only in case are one. Masked ones
 * stand for stored ones.
 *
 * @param known the stored ones with their texts open, if there are any
 */
export const recipientsIn = (given: unknown, known: unknown, say: Say): string[] => {
  if (!Array.isArray(given)) {
    say('recipients', given === undefined ? 'Missing required field.' : 'Must be an array.');
    return [];
  }
  if (given.length === 0) say('recipients', 'Must have at least 1 item.');
  if (given.length > MOST_RECIPIENTS) say('recipients', `Must have at most ${MOST_RECIPIENTS.toString()} items.`);
  const texts = given.slice(0, MOST_RECIPIENTS).map((text: unknown) => (typeof text === 'string' ? text.trim() : ''));
  const unmasked = unmasking(texts, Array.isArray(known) ? known.filter((text) => typeof text === 'string') : []);
  const addresses = texts.map((text, index) => {
    const field = `recipients.${index.toString()}`;
    if (isMaskedEmail(text)) {
      const behind = unmasked(text);
      if (typeof behind === 'string') return behind;
      say(field, behind.problem);
      return '';
    }
    const found = mailAddressOf(text);
    if (!found) say(field, 'Must be an e-mail address.');
    return found?.address ?? '';
  });
  return distinctAddresses(addresses);
};

/**
 * Finds the stored address that a masked one stands for. Those that look the same masked stand in their stored order;
 * if fewer come back than there are, nobody knows which was left out.
 */
const unmasking = (given: readonly string[], known: readonly string[]) => {
  const whole = new Set(given.filter((text) => !isMaskedEmail(text)).map(mailIdentity));
  const seen = new Map<string, number>();
  return (mask: string): string | { problem: string } => {
    const alike = known.filter((address) => maskedEmail(address) === mask);
    const others = alike.filter((address) => !whole.has(mailIdentity(address)));
    const candidates = others.length > 0 ? others : alike;
    const at = seen.get(mask) ?? 0;
    seen.set(mask, at + 1);
    if (candidates.length > given.filter((text) => text === mask).length) {
      return { problem: `${mask} may be one of several addresses: send the whole one.` };
    }
    const [last] = candidates.slice(-1);
    return candidates[at] ?? last ?? { problem: nothingMasked(mask) };
  };
};
