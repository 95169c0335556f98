/**
 * `Content-Disposition` (RFC 6266): whether a browser shows or saves a file, and under which name. A name that is not
 * plain ASCII is included twice: for old clients with `_` for other characters, and for new ones encoded (RFC 8187).
 */
export const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const quoted = `${kind}; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`;
};

/** encodeURIComponent rejects lone surrogates and does not encode some characters that are special here. */
const extended = (name: string): string =>
  encodeURIComponent(name.replaceAll(/[\p{Cs}\p{Cc}]/gu, '_')).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
