/** Returns a regular expression for `$regex` that matches the text literally. */
export const literalPattern = (text: string): string => Array.from(text, literal).join('');

/**
 * Returns a regular expression for `$regex` that matches the text in upper and lower case, by Unicode's simple case
 * folding, like the flags `iu` in JavaScript. The expression lists the case variants of each character. The option `i`
 * is not used, because some servers then ignore the case of ASCII letters only, or use another Unicode version.
 */
export const foldedPattern = (text: string): string =>
  Array.from(text, (character) => {
    const caseVariants = caseVariantsOf(character);
    return caseVariants.length === 1 ? literal(character) : `[${caseVariants.join('')}]`;
  }).join('');

/** Escapes a character that ends a pattern (NUL) or has a special meaning in it. */
const literal = (character: string): string => {
  if (character === '\0') return '\\x{0}';
  return /[\\^$.*+?()[\]{}|/#&~-]/.test(character) ? `\\${character}` : character;
};

const LAST_WITH_CASE = 0x1ffff;
let caseVariants: ReadonlyMap<string, readonly string[]> | null = null;

const caseVariantsOf = (character: string): readonly string[] => {
  caseVariants ??= findCaseVariants();
  return caseVariants.get(character) ?? [character];
};

/** Returns a map from each character with case variants to all its variants, including the character itself. */
const findCaseVariants = (): ReadonlyMap<string, readonly string[]> => {
  const candidates = new Map<string, string[]>();
  for (let point = 0; point <= LAST_WITH_CASE; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (!/\p{Changes_When_Casemapped}/u.test(character)) continue;
    // Characters with the same case folding have the same full capitals. So characters are grouped by their capitals,
    // and compared only within a group.
    const capitals = character.toUpperCase().toLowerCase().toUpperCase();
    candidates.set(capitals, [...(candidates.get(capitals) ?? []), character]);
  }
  const found = new Map<string, readonly string[]>();
  for (const group of candidates.values()) {
    for (const character of group) {
      const same = new RegExp(`^${character}$`, 'iu');
      found.set(
        character,
        group.filter((other) => same.test(other)),
      );
    }
  }
  return found;
};
