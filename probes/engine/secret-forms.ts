/** One way in which a secret may appear in a text. */
export interface Form {
  text: string;
  /** it may be part of a longer word of these characters, which reveals the secret too */
  within?: { before: RegExp; after: RegExp };
}

/** Characters; anything shorter is not searched for. */
export const SHORTEST_FORM = 4;

/** The forms of a secret, none of which is shorter than the secret; none if it is too short to be searched for. */
export const formsOf = (secret: string): Form[] => {
  if (secret.length < SHORTEST_FORM) return [];
  const bytes = encodingsOf(secret);
  const texts = NEVER_ESCAPED.test(secret)
    ? new Set([secret, ...inHosts(secret)])
    : new Set([
        ...[secret, Buffer.from(secret).toString('latin1'), ...inJson(secret), ...inCode(secret), ...inHtml(secret)],
        ...bytes.flatMap(inUrls),
      ]);
  const base64 = new Set(bytes.flatMap(inBase64));
  return [
    ...[...texts].map((text): Form => ({ text })),
    ...[...base64].map((text): Form => ({ text, within: IN_BASE64 })),
  ].filter(({ text }) => text.length >= SHORTEST_FORM);
};

/** Its bytes, each as a character, as it stands in a URL whose escapes were resolved; none if nobody would escape it. */
export const bytesOf = (secret: string): string[] =>
  secret.length < SHORTEST_FORM || NEVER_ESCAPED.test(secret)
    ? []
    : encodingsOf(secret).map((bytes) => bytes.toString('latin1'));

/** Text beyond ASCII is sent in either of two encodings, and read back in either. */
const encodingsOf = (secret: string): Buffer[] => {
  const utf8 = Buffer.from(secret);
  const isLatin1 = utf8.length !== secret.length && /^[\0-\u00ff]*$/.test(secret);
  return isLatin1 ? [utf8, Buffer.from(secret, 'latin1')] : [utf8];
};

/** Texts that nobody writes in any other form than as they are, or in base64. */
const NEVER_ESCAPED = /^[\w.-]+$/;

/** A shorter one, of which only the letters are the same, may be an ordinary word. */
const LEAST_OF_HOST = 8;

/** As part of a host's name or as the name of a header, which come back in lower case. */
const inHosts = (secret: string): string[] => (secret.length < LEAST_OF_HOST ? [] : [secret.toLowerCase()]);

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const upperHex = (text: string): string =>
  text.replace(/\\u[\da-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);

/** As JSON writers escape it: only what they must, slashes too, everything beyond ASCII, what has a meaning in HTML. */
const inJson = (secret: string): string[] => {
  const plain = quotedOf(secret);
  const ascii = plain.replace(/[\u007f-\uffff]/g, escapeOf);
  return [plain, ascii, plain.replace(/[<>&]/g, escapeOf), ascii.replace(/[<>&']/g, escapeOf)]
    .flatMap((text) => [text, text.replaceAll('/', '\\/')])
    .flatMap((text) => [text, upperHex(text)])
    .flatMap((text) => [text, quotedOf(text)]);
};

/** Escaped for JSON; also what is so already: JSON is sent within JSON. */
const quotedOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As a literal between single quotes, and as a regular expression that matches it: steps and errors show such. */
const inCode = (secret: string): string[] => {
  const literal = quotedOf(secret).replaceAll('\\"', '"');
  const expression = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return [literal, literal.replaceAll("'", "\\'"), expression, expression.replaceAll('/', '\\/')];
};

const inHtml = (secret: string): string[] => {
  const plain = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = plain.replaceAll('"', '&quot;');
  return [plain, quoted, ...['&#39;', '&#x27;', '&#039;'].map((quote) => quoted.replaceAll("'", quote))];
};

/** What stays unescaped: encodeURIComponent, RFC 3986, forms, encodeURI, a path and a query of the URL standard. */
const KEPT_IN_URLS = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.!~*'();,/?:@&=+$#-]/, /[^ "#<>]/, /[^ "#<>']/];

/** How each byte is written, depending on what stays unescaped, with hexadecimal digits in either case. */
const URL_ALPHABETS = KEPT_IN_URLS.flatMap((kept) => {
  const alphabet = (digits: (hex: string) => string): string[] =>
    Array.from({ length: 256 }, (_, byte) => {
      const character = String.fromCharCode(byte);
      if (byte > 0x20 && byte < 0x7f && kept.test(character)) return character;
      return `%${digits(byte.toString(16).padStart(2, '0'))}`;
    });
  return [alphabet((hex) => hex), alphabet((hex) => hex.toUpperCase())];
});

const inUrls = (bytes: Buffer): string[] =>
  URL_ALPHABETS.flatMap((alphabet) => {
    let text = '';
    for (const byte of bytes) text += alphabet[byte] ?? '';
    return text.includes('%20') ? [text, text.replaceAll('%20', '+')] : [text];
  });

const IN_BASE64 = { before: /[\w+/-]/, after: /[\w+/=-]/ };

/** The least number of characters by which a secret is recognized inside something longer that was encoded. */
const SHORTEST_CORE = 6;

/** In base64 and base64url, alone or within something longer, at each of the three possible offsets. */
const inBase64 = (bytes: Buffer): string[] => {
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Only characters whose bits come neither from what is before nor from what comes after.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString('base64'), ...cores.filter((core) => core.length >= SHORTEST_CORE)]
    .flatMap((text) => [text, text.replace(/=+$/, '')])
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
};
