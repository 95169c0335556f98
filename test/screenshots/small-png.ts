import { crc32, deflateSync } from 'node:zlib';
import { readPng, type Picture } from '../e2e/scripts/png.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

const distance = (a: string, b: string): number => {
  const other = channels(b);
  return channels(a).reduce((sum, channel, index) => sum + (channel - (other[index] ?? 0)) ** 2, 0);
};

/**
 * Returns a palette of the most frequent colours, and for each colour of the picture the index of the nearest palette
 * colour.
 */
const paletteOf = ({ width, height, at }: Picture): { palette: string[]; indexOf: Map<string, number> } => {
  const counts = new Map<string, number>();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) counts.set(at(x, y), (counts.get(at(x, y)) ?? 0) + 1);
  const colours = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = colours.slice(0, MOST_COLOURS);
  const indexOf = new Map(palette.map((colour, index) => [colour, index]));
  for (const colour of colours.slice(MOST_COLOURS)) {
    const nearest = palette.reduce((best, one) => (distance(one, colour) < distance(best, colour) ? one : best));
    indexOf.set(colour, palette.indexOf(nearest));
  }
  return { palette, indexOf };
};

const chunk = (type: string, data: Uint8Array): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
};

/**
 * Converts a screenshot to a PNG with a palette of 256 colours (PNG, 11.2.2), which is about a quarter as large.
 *
 * @param png a PNG in the format that Chromium writes
 */
export const smallPng = (png: Buffer): Buffer => {
  const picture = readPng(png);
  const { width, height, at } = picture;
  const { palette, indexOf } = paletteOf(picture);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(at(x, y)) ?? 0;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
};
