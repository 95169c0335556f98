import { inflateSync } from 'node:zlib';

/** A decoded PNG image. */
export interface Picture {
  width: number;
  height: number;
  /** number of colours, at most 1,000 */
  colours: number;
  /** Returns the colour of a pixel as `#rrggbb`. */
  at: (x: number, y: number) => string;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MANY = 1_000;
/** Size of a pixel in bytes by colour type: RGB, and RGB with alpha. */
const PIXEL: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

const chunksOf = (png: Buffer): { type: string; data: Buffer }[] => {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
};

/** Returns the neighbour that is nearest to the linear prediction (PNG, third edition, 9.4). */
const paeth = (left: number, above: number, corner: number): number => {
  const expected = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(expected - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
};

/** Returns the prediction that a filter has subtracted from a byte (PNG, 9.2). */
const takenOff = (filter: number, left: number, above: number, corner: number): number => {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
    default:
      throw new Error(`There is no filter ${filter}.`);
  }
};

/** Reverses the filters of all lines. */
const unfiltered = (filtered: Buffer, stride: number, height: number, pixel: number): Buffer => {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const here = y * stride + x;
      const left = x < pixel ? 0 : (bytes[here - pixel] ?? 0);
      const above = y === 0 ? 0 : (bytes[here - stride] ?? 0);
      const corner = x < pixel || y === 0 ? 0 : (bytes[here - stride - pixel] ?? 0);
      bytes[here] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + takenOff(filter, left, above, corner);
    }
  }
  return bytes;
};

/**
 * Reads a PNG image in the format of browser screenshots: 8 bits per channel, no palette, not interlaced.
 *
 * @throws Error if the image has another format
 */
export const readPng = (png: Buffer): Picture => {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('This is not a PNG.');
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (!header) throw new Error('The PNG has no header.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixel = PIXEL[header[9] ?? 0];
  if (header[8] !== 8 || pixel === undefined || header[12] !== 0) throw new Error('The PNG is of another kind.');
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const bytes = unfiltered(inflateSync(packed), width * pixel, height, pixel);
  const at = (x: number, y: number): string => {
    const from = (y * width + x) * pixel;
    return `#${bytes.toString('hex', from, from + 3)}`;
  };
  const colours = new Set<string>();
  for (let y = 0; y < height && colours.size < MANY; y += 1) {
    for (let x = 0; x < width && colours.size < MANY; x += 1) colours.add(at(x, y));
  }
  return { width, height, colours: colours.size, at };
};
