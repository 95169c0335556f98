import { distinctAddresses, mailAddressOf, mailIdentity } from '../mail/address.ts';
import { isMaskedEmail, maskedEmail } from '../subscriber/masking.ts';
import { noStoredText, type ProblemReporter } from './problems.ts';

/** Maximum number of recipients per channel. Each recipient gets one message per alert. */
export const MAX_RECIPIENTS = 50;

/**
 * Reads the recipients of an e-mail channel from a request. Addresses that differ only in case count as one. Masked
 * addresses are replaced by the stored addresses.
 *
 * @param known the stored recipients, decrypted; any other value if there are none
 */
export const recipientsIn = (given: unknown, known: unknown, say: ProblemReporter): string[] => {
  if (!Array.isArray(given)) {
    say('recipients', given === undefined ? 'Missing required field.' : 'Must be an array.');
    return [];
  }
  if (given.length === 0) say('recipients', 'Must have at least 1 item.');
  if (given.length > MAX_RECIPIENTS) say('recipients', `Must have at most ${MAX_RECIPIENTS} items.`);
  const texts = given.slice(0, MAX_RECIPIENTS).map((text: unknown) => (typeof text === 'string' ? text.trim() : ''));
  const unmasked = unmasking(texts, Array.isArray(known) ? known.filter((text) => typeof text === 'string') : []);
  const addresses = texts.map((text, index) => {
    const field = `recipients.${index}`;
    if (isMaskedEmail(text)) {
      const stored = unmasked(text);
      if (typeof stored === 'string') return stored;
      say(field, stored.problem);
      return '';
    }
    const found = mailAddressOf(text);
    if (!found) say(field, 'Must be an e-mail address.');
    return found?.address ?? '';
  });
  return distinctAddresses(addresses);
};

/**
 * Returns a function that finds the stored address for a masked address. Several stored addresses may have the same
 * mask. These are matched in their stored order. If the request has fewer addresses with this mask than are stored, it
 * is unknown which address was removed, so the function returns a problem.
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
      return { problem: `${mask} matches several stored addresses. Send the whole address.` };
    }
    const [last] = candidates.slice(-1);
    return candidates[at] ?? last ?? { problem: noStoredText(mask) };
  };
};
