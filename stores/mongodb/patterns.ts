/** The regular expression that matches a text literally, for `$regex`. */
export const literalPattern = (text: string): string => Array.from(text, literal).join('');

/**
 * The regular expression that matches a text in any case, by Unicode's simple case folding, like the flags `iu` in
 * JavaScript. Each character is written out with its case variants, because a server's option `i` depends on the
 * Unicode release of its regular expressions, or folds ASCII only.
 */
export const foldedPattern = (text: string): string =>
  Array.from(text, (character) => {
    const caseVariants = caseVariantsOf(character);
    return caseVariants.length === 1 ? literal(character) : `[${caseVariants.join('')}]`;
  }).join('');

/** Escapes a character that ends a pattern (NUL) or has a meaning in it. */
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

/** Maps each character that has case variants to all of them, itself included. */
const findCaseVariants = (): ReadonlyMap<string, readonly string[]> => {
  const candidates = new Map<string, string[]>();
  for (let point = 0; point <= LAST_WITH_CASE; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (!/\p{Changes_When_Casemapped}/u.test(character)) continue;
    // Characters that fold to the same one have the same capitals, written out.
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
