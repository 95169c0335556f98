import { randomBytes } from 'node:crypto';
import { constants } from 'node:crypto';
import { createServer, type TlsOptions } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { VulnerabilityFinding } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { hasOpenssl } from '../../web/certificates.ts';
import { closeServers } from '../../web/servers.ts';
import { createRsaCertificate } from '../servers/rsa-certificate.ts';
import { ticketServer } from '../servers/ticket-server.ts';
import { factsOf, RSA_SUITE, verdict, vulnerabilitiesAt } from './testing.ts';

const test = suite('the test for Ticketbleed');
test.after.each(closeServers);

const FACTS = factsOf({ tls_1_2: [0xc02f, RSA_SUITE] });

if (!hasOpenssl()) console.log('  skipped: openssl is not installed');
else {
  const certificate = createRsaCertificate();

  const answered = async (sessionIdFor: (requested: Buffer) => Buffer): Promise<VulnerabilityFinding> => {
    const server = await ticketServer(certificate, sessionIdFor);
    return (await vulnerabilitiesAt(server.port, FACTS)).findings.ticketbleed;
  };
  /** Tests a real server of Node.js. @returns the finding */
  const ofNode = async (options: TlsOptions): Promise<VulnerabilityFinding> => {
    const server = createServer({ ...certificate, maxVersion: 'TLSv1.2', ...options }, (socket) => {
      socket.on('error', () => undefined).resume();
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return (await vulnerabilitiesAt((server.address() as AddressInfo).port, FACTS)).findings.ticketbleed;
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  };

  test('a server that returns a short session id with additional memory has Ticketbleed', async () => {
    const finding = await answered((requested) => Buffer.concat([requested, randomBytes(32 - requested.length)]));
    assert.is(verdict(finding), 'vulnerable');
    assert.match(finding.details, /bytes from its memory/);
  });

  test('a server that returns a short session id unchanged does not have Ticketbleed', async () => {
    assert.is(verdict(await answered((requested) => requested)), 'safe');
  });

  test('a server that replaces a short session id is reported as not tested for Ticketbleed', async () => {
    assert.is(verdict(await answered(() => randomBytes(32))), 'untested');
    assert.is(verdict(await answered(() => Buffer.alloc(0))), 'untested');
  });

  test('Node.js returns a short session id unchanged, and does not have Ticketbleed', async () => {
    const finding = await ofNode({});
    assert.equal([verdict(finding), finding.details], ['safe', 'The server returns a short session id unchanged.']);
  });

  test('a server without tickets needs no test for Ticketbleed', async () => {
    const finding = await ofNode({ secureOptions: constants.SSL_OP_NO_TICKET });
    assert.is(verdict(finding), 'safe');
    assert.match(finding.details, /issues no session tickets/);
  });
}

test.run();
