/** Decodes the bytes of a body. `stream` means that more bytes will follow. */
export interface Decoder {
  /** the WHATWG name of the encoding, in lower case */
  readonly encoding: string;
  decode: (bytes?: Uint8Array, options?: { stream?: boolean }) => string;
}
