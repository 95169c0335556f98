/** The characters of GSM 03.38 that take one septet, and (`EXTENDED`) those that take two. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€\f');

/**
 * Returns whether a text can be encoded in seven bits per character. If not, the whole text is encoded in UCS-2, with
 * sixteen bits per UTF-16 unit.
 */
export const isGsm = (text: string): boolean =>
  Array.from(text).every((character) => BASIC.has(character) || EXTENDED.has(character));

/**
 * Returns the number of messages in which a text is sent, and for which the sender is billed. A text that needs several
 * messages has less space in each message, because each has a header.
 */
export const partsOf = (text: string): number => {
  if (!isGsm(text)) return split(text.length, 70, 67);
  let septets = 0;
  for (const character of text) septets += EXTENDED.has(character) ? 2 : 1;
  return split(septets, 160, 153);
};

const split = (length: number, alone: number, joined: number): number =>
  length <= alone ? 1 : Math.ceil(length / joined);

const PLAIN: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '−': '-',
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '…': '...',
  '→': '->',
  '•': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
};

/** Replaces typographic quotes, dashes and blanks with equivalents that can be encoded in seven bits. */
export const plainPunctuation = (text: string): string =>
  text.replace(/[–—−‘’‚“”„«»…→•\u00a0\u202f\u2009]/g, (character) => PLAIN[character] ?? character);

/** Removes accents that can't be encoded in seven bits: `página` → `pagina`. */
export const withoutAccents = (text: string): string =>
  Array.from(text, (character) => {
    if (isGsm(character)) return character;
    const base = LIGATURES[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
    return base !== '' && isGsm(base) ? base : character;
  }).join('');

const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE' };
