/** Certificate authorities that are trusted in addition to the default ones. */
const { createHash, X509Certificate } = require('node:crypto') as typeof import('node:crypto');
const { readFileSync } = require('node:fs') as typeof import('node:fs');
const tls = require('node:tls') as typeof import('node:tls');

/** The exports of `certificates.cjs`. */
export interface CertificatesModule {
  /** Returns the certificates of a file, each as PEM; none if `file` is null. */
  authorities: (file: string | null) => string[];
  /** Makes Node.js trust the certificates for all connections that have no `ca` option. */
  trustAuthorities: (certificates: readonly string[]) => void;
  /** Returns the SHA-256 digests of the public keys in base64, as Chromium expects them. */
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
