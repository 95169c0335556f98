/** A form in which a secret may appear in a text. */
export interface EncodedSecret {
  text: string;
  /** characters with which it may form a longer word, which also reveals the secret */
  within?: { before: RegExp; after: RegExp };
}

/** Minimum length of a form to search for, characters. */
export const SHORTEST_FORM = 4;

/** The forms of a secret, none shorter than the secret; empty if it is too short to search for. */
export const secretFormsOf = (secret: string): EncodedSecret[] => {
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
    ...[...texts].map((text): EncodedSecret => ({ text })),
    ...[...base64].map((text): EncodedSecret => ({ text, within: IN_BASE64 })),
  ].filter(({ text }) => text.length >= SHORTEST_FORM);
};

/** Its bytes as characters, for URLs whose escapes were decoded; empty if nothing in it needs an escape. */
export const bytesOf = (secret: string): string[] =>
  secret.length < SHORTEST_FORM || NEVER_ESCAPED.test(secret)
    ? []
    : encodingsOf(secret).map((bytes) => bytes.toString('latin1'));

/** Text beyond ASCII is sent in one of two encodings, and decoded in either. */
const encodingsOf = (secret: string): Buffer[] => {
  const utf8 = Buffer.from(secret);
  const isLatin1 = utf8.length !== secret.length && /^[\0-\u00ff]*$/.test(secret);
  return isLatin1 ? [utf8, Buffer.from(secret, 'latin1')] : [utf8];
};

/** Texts that appear only literally or in base64. */
const NEVER_ESCAPED = /^[\w.-]+$/;

/** A shorter secret in lower case may be an ordinary word. */
const LEAST_OF_HOST = 8;

/** As part of a host name or as a header name, which are returned in lower case. */
const inHosts = (secret: string): string[] => (secret.length < LEAST_OF_HOST ? [] : [secret.toLowerCase()]);

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const upperHex = (text: string): string =>
  text.replace(/\\u[\da-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);

/**
 * As JSON writers escape it: only what they must, slashes too, everything beyond ASCII, or characters special in HTML.
 */
const inJson = (secret: string): string[] => {
  const plain = quotedOf(secret);
  const ascii = plain.replace(/[\u007f-\uffff]/g, escapeOf);
  return [plain, ascii, plain.replace(/[<>&]/g, escapeOf), ascii.replace(/[<>&']/g, escapeOf)]
    .flatMap((text) => [text, text.replaceAll('/', '\\/')])
    .flatMap((text) => [text, upperHex(text)])
    .flatMap((text) => [text, quotedOf(text)]);
};

/** Escaped for JSON, once and twice: JSON may contain JSON. */
const quotedOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * As a literal in single quotes, and as a regular expression that matches it, as in the titles of steps and in errors.
 */
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

/**
 * Characters that stay unescaped: encodeURIComponent, RFC 3986, forms, encodeURI, paths and queries of the URL
 * standard.
 */
const KEPT_IN_URLS = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.!~*'();,/?:@&=+$#-]/, /[^ "#<>]/, /[^ "#<>']/];

/** The spelling of each byte, for each set of unescaped characters, with hexadecimal digits in either case. */
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

/** Minimum characters by which a secret is recognised inside a longer encoded text. */
const SHORTEST_CORE = 6;

/** In base64 and base64url, alone or inside a longer text, at each of the three possible offsets. */
const inBase64 = (bytes: Buffer): string[] => {
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Only characters that don't depend on the bytes before or after the secret.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString('base64'), ...cores.filter((core) => core.length >= SHORTEST_CORE)]
    .flatMap((text) => [text, text.replace(/=+$/, '')])
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
};
