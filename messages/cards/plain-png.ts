import { crc32, deflateSync } from 'node:zlib';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Colour } from '../colours.ts';
import { STATE_COLOURS } from '../state-colours.ts';
import { CARD } from './card.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width of the stripe on the left, in pixels. Rendered cards have the same stripe. */
const STRIPE = 20;

/**
 * Returns a picture without text, of the size of a card and in the colours of a state (PNG, 3rd edition). This picture
 * is sent if no card can be rendered. Generating the picture takes about a millisecond.
 */
export const plainPng = (state: ComponentStatus): Uint8Array => {
  const { tint, fill } = STATE_COLOURS[state];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(CARD.width, 0);
  header.writeUInt32BE(CARD.height, 4);
  // Bit depth 8, colour type 3: each pixel is an index into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + CARD.width);
  row.fill(1, 1, 1 + STRIPE);
  const rows = Buffer.concat(Array.from({ length: CARD.height }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...channels(tint), ...channels(fill)])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const channels = (colour: Colour): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
};
