/** A defect of compressed data that is still readable. */
export type CompressionFlaw = 'unfinished' | 'no checksum' | 'wrong checksum' | 'trailing';

export interface LayerEvents {
  /** @returns false to pause until the layer is resumed */
  data: (chunk: Buffer) => boolean;
  /** the compressed body is corrupt, or nothing of it can be decompressed */
  error: (error: Error) => void;
  flaw: (flaw: CompressionFlaw) => void;
  end: () => void;
  /** the writer may continue */
  drain: () => void;
}

export interface DecompressionLayer {
  /** @returns false if the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  end: () => void;
  /** Continues after `data` returned false. */
  resume: () => void;
  destroy: () => void;
}

/** Maximum bytes of a compressed body to queue; most bodies fit, so that the server never has to slow down. */
const WAITING_BYTES = 262_144;

export const STREAM_OPTIONS = { chunkSize: 65_536, writableHighWaterMark: WAITING_BYTES };
