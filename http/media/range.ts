/** Bytes counted from 0, the last one included. */
export interface Range {
  from: number;
  to: number;
}

/**
 * The part that a `Range` header asks for (RFC 9110, 14.1.2). Null: all of it, also where the header is of other units,
 * means nothing, or asks for several parts, which may be ignored; that way nobody makes much work with a small request.
 */
export const rangeOf = (header: string | undefined, size: number): Range | 'unsatisfiable' | null => {
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

/** Whether a part may be given of what a client has another part of already (RFC 9110, 13.1.5). */
export const isSameFor = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || ifRange.trim() === tag;
