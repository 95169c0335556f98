/** What is wrong with packed data that can be read all the same. */
export type Flaw = 'unfinished' | 'no checksum' | 'wrong checksum' | 'trailing';

export interface LayerEvents {
  /** @returns false to get no more until the layer is resumed */
  data: (chunk: Buffer) => boolean;
  /** the packed body is broken, or nothing of it can be unpacked */
  error: (error: Error) => void;
  flaw: (flaw: Flaw) => void;
  end: () => void;
  /** more can be written */
  drain: () => void;
}

export interface Unpacker {
  /** @returns false when the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  end: () => void;
  /** Goes on after `data` returned false. */
  resume: () => void;
  destroy: () => void;
}

/** How much of a packed body may wait; with most bodies the server never has to slow down. */
const WAITING_BYTES = 262_144;

export const STREAM_OPTIONS = { chunkSize: 65_536, writableHighWaterMark: WAITING_BYTES };
