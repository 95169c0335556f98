/** A DER element: its tag, and the offsets of its parts. */
export interface Element {
  tag: number;
  /** offset of the tag */
  start: number;
  /** offset of the content */
  content: number;
  /** offset after the content */
  end: number;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  enumerated: 0x0a,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
};

/** The bytes are not DER, or do not have the expected form. */
export class NotDer extends Error {
  constructor() {
    super('The bytes are not DER of the expected form.');
    this.name = 'NotDer';
  }
}

/**
 * Returns the element at an offset. A full parser would take a gigabyte of memory for ten megabytes of revoked
 * certificates; this function creates no objects for data that is not needed.
 *
 * @param limit end of the enclosing element
 * @throws NotDer
 */
export const elementAt = (bytes: Buffer, at: number, limit = bytes.length): Element => {
  const tag = bytes[at];
  const first = bytes[at + 1];
  // Tags of several bytes are invalid, because X.509 does not use them.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new NotDer();
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const content = at + 2 + lengthBytes;
  if (first === 0x80 || lengthBytes > 4 || content > limit) throw new NotDer();
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  if (content + length > limit) throw new NotDer();
  return { tag, start: at, content, end: content + length };
};

/** Yields the elements within an element. @throws NotDer at the first invalid element */
export const elementsIn = function* (bytes: Buffer, { content, end }: Element): Generator<Element, void> {
  for (let at = content; at < end;) {
    const element = elementAt(bytes, at, end);
    yield element;
    at = element.end;
  }
};

/** Returns the bytes of an element, including its tag and length. */
export const wholeOf = (bytes: Buffer, { start, end }: Element): Buffer => bytes.subarray(start, end);

export const contentOf = (bytes: Buffer, { content, end }: Element): Buffer => bytes.subarray(content, end);

/** Parses a UTCTime or GeneralizedTime (RFC 5280, 4.1.2.5). Returns milliseconds since 1970. @throws NotDer */
export const timeIn = (bytes: Buffer, element: Element): number => {
  const text = contentOf(bytes, element).toString('latin1');
  const match = (
    element.tag === TAG.utcTime ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
  ).exec(text);
  if (!match || (element.tag !== TAG.utcTime && element.tag !== TAG.time)) throw new NotDer();
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const century = element.tag === TAG.time ? 0 : year < 50 ? 2_000 : 1_900;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
};

/** Converts a date to milliseconds since 1970. @throws NotDer if the date is invalid */
export const timeOf = (date: Date): number => {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) throw new NotDer();
  return milliseconds;
};
