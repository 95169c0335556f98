import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates (PEM) in a file. */
export const certificatesIn = (file: string): readonly string[] => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`must be a readable file (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new Error('must be a file with certificates in PEM format.');
  for (const certificate of found) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw new Error('must contain valid certificates.');
    }
  }
  return found;
};
