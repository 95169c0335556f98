/** Without characters that look alike. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Returns a random password in groups that can be read aloud: `k3v9x-q2m7a-…`, 99 bits. */
export const generatedPassword = (random: (length: number) => Uint8Array): string => {
  const signs: string[] = [];
  // Larger bytes are discarded, so that all characters are equally likely.
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
