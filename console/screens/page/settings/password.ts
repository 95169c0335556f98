/** Without signs that look alike. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that nobody guesses, in groups that can be read aloud: `k3v9x-q2m7a-…`, 99 bits. */
export const generatedPassword = (random: (length: number) => Uint8Array): string => {
  const signs: string[] = [];
  // Bytes beyond the last multiple are left out, so that each sign is as likely as the others.
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
