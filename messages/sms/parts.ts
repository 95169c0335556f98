/** The characters of GSM 03.38 that take one septet, and those that take two. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€\f');

/**
 * Returns whether a text can be encoded in seven bits per character. Otherwise each UTF-16 unit takes sixteen (UCS-2).
 */
export const isGsm = (text: string): boolean =>
  Array.from(text).every((character) => BASIC.has(character) || EXTENDED.has(character));

/** Returns how many messages a text is sent and billed as. Concatenated messages lose space to their headers. */
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

/** Replaces typographic quotes, dashes and blanks with equivalents that fit into seven bits. */
export const plainPunctuation = (text: string): string =>
  text.replace(/[–—−‘’‚“”„«»…→•\u00a0\u202f\u2009]/g, (character) => PLAIN[character] ?? character);

/** Removes the accents that seven bits cannot encode, as people do in SMS: `pagina` for `página`. */
export const withoutAccents = (text: string): string =>
  Array.from(text, (character) => {
    if (isGsm(character)) return character;
    const base = LIGATURES[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
    return base !== '' && isGsm(base) ? base : character;
  }).join('');

const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE' };
