/** The characters of GSM 03.38 that take one place of seven bits, and those that take two. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('^{}\\[~]|€\f');

/** Whether a text can be sent in seven bits a character; otherwise each UTF-16 unit takes sixteen (UCS-2). */
export const isGsm = (text: string): boolean =>
  Array.from(text).every((character) => BASIC.has(character) || EXTENDED.has(character));

/** How many messages a text is sent, and paid, as: several lose room to what joins them. */
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

/** A text with the plain forms of quotes, dashes and blanks, which say the same in seven bits. */
export const plainPunctuation = (text: string): string =>
  text.replace(/[–—−‘’‚“”„«»…→•\u00a0\u202f\u2009]/g, (character) => PLAIN[character] ?? character);

/** A text without those accents that seven bits have no room for: people write `pagina` for `página` in an SMS. */
export const withoutAccents = (text: string): string =>
  Array.from(text, (character) => {
    if (isGsm(character)) return character;
    const base = LIGATURES[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
    return base !== '' && isGsm(base) ? base : character;
  }).join('');

const LIGATURES: Readonly<Record<string, string>> = { œ: 'oe', Œ: 'OE' };
