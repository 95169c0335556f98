/** A defect of compressed data that is still readable. */
export type CompressionFlaw = 'unfinished' | 'no checksum' | 'wrong checksum' | 'trailing';

export interface LayerEvents {
  /** Receives decompressed bytes. @returns false to pause until the layer is resumed */
  data: (chunk: Buffer) => boolean;
  /** Called if the compressed body is corrupt, or if nothing of it can be decompressed. */
  error: (error: Error) => void;
  flaw: (flaw: CompressionFlaw) => void;
  end: () => void;
  /** Called when the writer can continue. */
  drain: () => void;
}

export interface DecompressionLayer {
  /** Adds compressed bytes. @returns false if the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  end: () => void;
  /** Continues after `data` returned false. */
  resume: () => void;
  destroy: () => void;
}

/** Maximum number of compressed bytes to queue. Most bodies are smaller, so that reading them never pauses. */
const WAITING_BYTES = 262_144;

export const STREAM_OPTIONS = { chunkSize: 65_536, writableHighWaterMark: WAITING_BYTES };
