/** A range of bytes. Both offsets count from 0, and `to` is the offset of the last byte. */
export interface RequestedRange {
  from: number;
  to: number;
}

/**
 * Returns the range that a `Range` header requests (RFC 9110, 14.1.2). Returns null for the whole file. Headers with
 * another unit, several ranges or errors are ignored, so that a small request can't cause much work.
 */
export const parseRange = (header: string | undefined, size: number): RequestedRange | 'unsatisfiable' | null => {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? Infinity : Number(last);
  if (to < from) return null;
  return from >= size ? 'unsatisfiable' : { from, to: Math.min(to, size - 1) };
};

/**
 * Returns whether the requested part may be sent without the rest of the file. `If-Range` contains the `ETag` of the
 * version of which the client already has a part. If the file now has another `ETag`, the client needs the whole file
 * (RFC 9110, 13.1.5).
 */
export const matchesIfRange = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || ifRange.trim() === tag;
