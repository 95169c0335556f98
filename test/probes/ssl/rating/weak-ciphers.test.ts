import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { weakCiphers } from '../../../../probes/ssl/rating/weak-ciphers.ts';
import { scanned, TLS_1_2, TLS_1_3, type Configuration } from './scanned.ts';

const weak = suite('weak cipher suites');

const reasonsOf = (server: Configuration): Record<string, string[]> =>
  Object.fromEntries(weakCiphers(scanned(server)).map(({ cipher, reasons }) => [cipher, reasons]));

weak('a modern server has no weak cipher suites', () => {
  assert.equal(weakCiphers(scanned({ protocols: { tls_1_2: TLS_1_2, tls_1_3: TLS_1_3 } })), []);
});

weak('a weak cipher suite is reported with all reasons', () => {
  const suites: readonly (readonly [string, string[]])[] = [
    ['TLS_RSA_WITH_NULL_SHA256', ['NULL encryption', 'RSA key exchange', 'no forward secrecy']],
    ['TLS_DH_anon_WITH_AES_128_CBC_SHA', ['anonymous: no authentication']],
    ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', ['RC4']],
    ['TLS_DHE_RSA_WITH_DES_CBC_SHA', ['DES']],
    ['TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA', ['3DES']],
    ['TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5', ['export strength', 'RC2', 'RSA key exchange', 'no forward secrecy']],
    ['TLS_RSA_WITH_AES_128_GCM_SHA256', ['RSA key exchange', 'no forward secrecy']],
    ['TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256', ['no forward secrecy']],
    ['TLS_PSK_WITH_AES_128_GCM_SHA256', ['no forward secrecy']],
    ['0xfff0', []],
  ];
  assert.equal(
    reasonsOf({ protocols: { tls_1_2: suites.map(([name]) => name).join(' ') } }),
    Object.fromEntries(suites.filter(([, reasons]) => reasons.length > 0)),
  );
});

weak('CBC suites are weak only with SSL 3.0', () => {
  const cbc = 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA';
  const [found, ...more] = weakCiphers(scanned({ protocols: { ssl_3_0: cbc, tls_1_0: cbc } }));
  assert.equal([found, more], [{ cipher: cbc, protocols: ['ssl_3_0'], reasons: ['CBC with SSL 3.0'] }, []]);
});

weak('Diffie-Hellman suites are weak with short parameters', () => {
  const protocols = { tls_1_2: 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' };
  assert.equal(reasonsOf({ protocols, ephemeral: { dh: 1_024 } }), {
    TLS_DHE_RSA_WITH_AES_128_GCM_SHA256: ['1024-bit Diffie-Hellman parameters'],
  });
  assert.equal(reasonsOf({ protocols, ephemeral: { dh: 2_048 } }), {});
});

weak('a weak suite of several protocols is reported once, with all protocols', () => {
  const rc4 = 'TLS_ECDHE_RSA_WITH_RC4_128_SHA';
  const [found] = weakCiphers(scanned({ protocols: { tls_1_0: rc4, tls_1_1: rc4, tls_1_2: `${TLS_1_2} ${rc4}` } }));
  assert.equal(found?.protocols, ['tls_1_0', 'tls_1_1', 'tls_1_2']);
});

weak.run();
