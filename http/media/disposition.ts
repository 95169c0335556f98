/**
 * Returns a `Content-Disposition` (RFC 6266). It tells a browser whether to show or save a file, and under which name.
 * A name that contains characters other than plain ASCII is included twice: for outdated clients with `_` in place of
 * these characters, and for other clients in encoded form (RFC 8187).
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
