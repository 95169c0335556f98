/**
 * Returns the value of a `Content-Disposition` header (RFC 6266), which tells a browser whether to show or save a file,
 * and under which name. A name with characters other than plain ASCII is included twice: with `_` in place of these
 * characters for outdated clients, and in encoded form for other clients (RFC 8187).
 */
export const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const quoted = `${kind}; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`;
};

/**
 * Encodes a name. encodeURIComponent rejects lone surrogates, and leaves some characters unchanged that are special in
 * this header.
 */
const extended = (name: string): string =>
  encodeURIComponent(name.replaceAll(/[\p{Cs}\p{Cc}]/gu, '_')).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
