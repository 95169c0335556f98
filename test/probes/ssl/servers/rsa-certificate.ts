import { spawnSync } from 'node:child_process';
import type { Certificate } from '../../web/certificates.ts';

/** Creates a self-signed certificate for 127.0.0.1 with an RSA key of 2,048 bits. */
export const createRsaCertificate = (): Certificate => {
  const { status, stdout, stderr } = spawnSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '3650'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', '-', '-out', '-'],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl req: ${stderr}`);
  const at = stdout.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: stdout.slice(0, at), cert: stdout.slice(at) };
};
