import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { anchorsIn, trustedAnchors } from '../../../../probes/ssl/certificate/anchors.ts';
import { readCertificate, type Certificate } from '../../../../probes/ssl/certificate/read-certificate.ts';
import { createAuthority, hasOpenssl } from './authority.ts';
import { compiled } from '../../../project.ts';

const trusting = suite('certificates that a run trusts');

const [first = '', second = ''] = rootCertificates;
const read = (pem: string): Certificate => readCertificate(new X509Certificate(pem).raw);

trusting('every root certificate of Node.js can be parsed and found by name', () => {
  const anchors = trustedAnchors({});
  for (const pem of rootCertificates) {
    const root = read(pem);
    assert.ok(anchors.has(root));
    assert.ok(anchors.namedAs(root.x509).some(({ fingerprint }) => fingerprint === root.fingerprint));
  }
});

trusting('a check’s own certificates replace all other trusted certificates', () => {
  const anchors = trustedAnchors({ ca: `${first}\nwords between\n${second}` });
  assert.equal(
    [first, second, rootCertificates[2] ?? ''].map((pem) => anchors.has(read(pem))),
    [true, true, false],
  );
});

trusting(
  'the same certificates have a different effect as additional trusted certificates than as a check’s own certificates',
  () => {
    assert.ok(trustedAnchors({ trust: [first] }).has(read(second)));
    assert.not(trustedAnchors({ ca: first }).has(read(second)));
  },
);

trusting('valid certificates are trusted, without duplicates', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  const anchors = anchorsIn([broken, first, first]);
  assert.is(anchors.namedAs(read(first).x509).length, 1);
});

if (hasOpenssl()) {
  const authority = createAuthority();
  const root = authority.make('root', { authority: true });
  trusting.after(() => {
    authority.close();
  });

  trusting('the certificates in the service’s configuration are trusted in addition to those of Node.js', () => {
    const anchors = trustedAnchors({ trust: [root.cert] });
    assert.ok(anchors.has(read(root.cert)));
    assert.ok(anchors.has(read(first)));
  });

  trusting('the certificates of NODE_EXTRA_CA_CERTS are trusted, as in every TLS connection of Node.js', () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { X509Certificate } from 'node:crypto';
      const { trustedAnchors } = await import(${JSON.stringify(compiled('probes/ssl/certificate/anchors.ts'))});
      const { readCertificate } = await import(${JSON.stringify(compiled('probes/ssl/certificate/read-certificate.ts'))});
      const { raw } = new X509Certificate(readFileSync(process.argv.at(-1)));
      console.log(trustedAnchors({}).has(readCertificate(raw)));
    `;
    const trusted = (environment: Record<string, string>): string => {
      const words = ['--input-type=module', '-e', script, '--', authority.file('root.crt')];
      const { stdout, stderr } = spawnSync(process.execPath, words, {
        env: { ...process.env, ...environment },
        encoding: 'utf8',
      });
      return `${stdout}${stdout === '' ? stderr : ''}`.trim();
    };
    assert.is(trusted({ NODE_EXTRA_CA_CERTS: authority.file('root.crt') }), 'true');
    assert.is(trusted({ NODE_EXTRA_CA_CERTS: authority.file('missing.crt') }), 'false');
  });
} else {
  console.log('skipped: openssl is not installed');
}

trusting.run();
