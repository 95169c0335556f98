/** Supported content encodings, best first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * Returns the encoding to use for an `Accept-Encoding`; null if none is accepted. A weight of 0 refuses an encoding
 * (RFC 9110, 12.5.3). Other weights are ignored, because all clients that accept Brotli prefer it.
 */
export const negotiateEncoding = (accepted: string | undefined): Encoding | null => {
  if (accepted === undefined) return null;
  const taken = new Set<string>();
  for (const one of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) taken.add(name);
  }
  return ENCODINGS.find((encoding) => taken.has(encoding)) ?? null;
};
