/** A form in which a secret may appear in a text. */
export interface EncodedSecret {
  text: string;
  /** characters of adjacent text that is masked too: a longer base64 text reveals the secret when it is decoded */
  within?: { before: RegExp; after: RegExp };
}

/** Minimum length of a form to search for, in characters. */
export const SHORTEST_FORM = 4;

/** Returns the forms of a secret; none if the secret is too short to search for. */
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

/**
 * Returns the bytes of a secret as characters, one text per encoding. The mask searches for these texts in URLs whose
 * escapes have been decoded. Returns no texts if the secret contains no character that needs an escape.
 */
export const bytesOf = (secret: string): string[] =>
  secret.length < SHORTEST_FORM || NEVER_ESCAPED.test(secret)
    ? []
    : encodingsOf(secret).map((bytes) => bytes.toString('latin1'));

/** Returns the bytes of a secret in the encodings in which it may be sent: UTF-8 and, if possible, ISO 8859-1. */
const encodingsOf = (secret: string): Buffer[] => {
  const utf8 = Buffer.from(secret);
  const isLatin1 = utf8.length !== secret.length && /^[\0-\u00ff]*$/.test(secret);
  return isLatin1 ? [utf8, Buffer.from(secret, 'latin1')] : [utf8];
};

/** Matches texts that contain no character that any format escapes. Such texts appear only literally or in base64. */
const NEVER_ESCAPED = /^[\w.-]+$/;

/** Minimum length of a secret that is also masked in lower case. A shorter one may be an ordinary word. */
const LEAST_OF_HOST = 8;

/** Returns the form in host names and header names, which appear in lower case. */
const inHosts = (secret: string): string[] => (secret.length < LEAST_OF_HOST ? [] : [secret.toLowerCase()]);

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const upperHex = (text: string): string =>
  text.replace(/\\u[\da-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`);

/**
 * Returns a secret as JSON writers escape it: only the characters that they must escape, or also slashes, characters
 * beyond ASCII, or characters that are special in HTML. Also escapes each form a second time, because JSON may contain
 * JSON.
 */
const inJson = (secret: string): string[] => {
  const plain = quotedOf(secret);
  const ascii = plain.replace(/[\u007f-\uffff]/g, escapeOf);
  return [plain, ascii, plain.replace(/[<>&]/g, escapeOf), ascii.replace(/[<>&']/g, escapeOf)]
    .flatMap((text) => [text, text.replaceAll('/', '\\/')])
    .flatMap((text) => [text, upperHex(text)])
    .flatMap((text) => [text, quotedOf(text)]);
};

/** Returns a text as the inside of a JSON string, without the quotes. */
const quotedOf = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Returns a secret as a JavaScript literal in single quotes, and as a regular expression that matches the secret. Both
 * forms appear in the titles of steps and in error messages.
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
 * The characters that remain unescaped in URLs, one expression for each of: encodeURIComponent, RFC 3986, HTML forms,
 * encodeURI, and (in the URL standard) paths and queries.
 */
const KEPT_IN_URLS = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.!~*'();,/?:@&=+$#-]/, /[^ "#<>]/, /[^ "#<>']/];

/** The spellings of all 256 bytes, for each set of unescaped characters, with hexadecimal digits in either case. */
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

/** Minimum number of base64 characters by which a secret is recognised inside a longer encoded text. */
const SHORTEST_CORE = 6;

/**
 * Returns a secret in base64 and base64url, alone or inside a longer text. Base64 encodes groups of three bytes, so
 * there are three possible offsets of the secret within a group.
 */
const inBase64 = (bytes: Buffer): string[] => {
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Keeps only the characters that don't depend on the bytes before and after the secret.
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString('base64'), ...cores.filter((core) => core.length >= SHORTEST_CORE)]
    .flatMap((text) => [text, text.replace(/=+$/, '')])
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
};
