/** Authorities that are trusted besides the default ones. */
const { createHash, X509Certificate } = require('node:crypto') as typeof import('node:crypto');
const { readFileSync } = require('node:fs') as typeof import('node:fs');
const tls = require('node:tls') as typeof import('node:tls');

/** The exports of `certificates.cjs`. */
export interface CertificatesModule {
  /** The certificates of a file, each as PEM. @param file null: none */
  authorities: (file: string | null) => string[];
  /** Makes Node.js trust them too, wherever a connection names no authorities. */
  trustAuthorities: (certificates: readonly string[]) => void;
  /** SHA-256 of their keys in base64, in Chromium's format. */
  keyHashes: (certificates: readonly string[]) => string[];
}

interface Context {
  addCACert: (certificate: string) => void;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const authorities: CertificatesModule['authorities'] = (file) =>
  file === null ? [] : (readFileSync(file, 'utf8').match(PEM) ?? []);

const trustAuthorities: CertificatesModule['trustAuthorities'] = (certificates) => {
  if (certificates.length === 0) return;
  const create = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const secure = create(options);
    if (options?.ca === undefined) {
      const context = secure.context as Context;
      for (const certificate of certificates) context.addCACert(certificate);
    }
    return secure;
  };
};

const keyHashes: CertificatesModule['keyHashes'] = (certificates) =>
  certificates.map((certificate) =>
    createHash('sha256')
      .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
  );

module.exports = { authorities, trustAuthorities, keyHashes } satisfies CertificatesModule;
