/** The characters of generated passwords. Characters that look alike, such as `l` and `1`, are left out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Returns a random password with 99 bits of entropy, in groups that are easy to read aloud: `k3v9x-q2m7a-…`. */
export const generatedPassword = (random: (length: number) => Uint8Array): string => {
  const signs: string[] = [];
  // Bytes from this value on are discarded, so that all characters are equally likely.
  const end = 256 - (256 % SIGNS.length);
  while (signs.length < GROUPS * GROUP_LENGTH) {
    for (const byte of random(32)) {
      if (byte < end && signs.length < GROUPS * GROUP_LENGTH) signs.push(SIGNS.charAt(byte % SIGNS.length));
    }
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    signs.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
};
