import { spawnSync } from 'node:child_process';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { suite, SUITES } from '../../../../probes/ssl/wire/suites.ts';
import { hasOpenssl } from '../../web/certificates.ts';

const test = specifications('cipher suites');

const properties = (id: number) => {
  const { exchange, authentication, cipher, bits, mode } = suite(id);
  return `${exchange} ${authentication} ${cipher} ${bits} ${mode}`;
};

test('cipher suites have the properties of their names', () => {
  const expected: Record<number, string> = {
    0x1301: 'any any AES 128 GCM',
    0x1303: 'any any CHACHA20 256 POLY1305',
    0xc0b4: 'any any NULL 0 none',
    0xc02f: 'ECDHE RSA AES 128 GCM',
    0xc024: 'ECDHE ECDSA AES 256 CBC',
    0xc018: 'ECDHE anonymous AES 128 CBC',
    0xc004: 'ECDH ECDSA AES 128 CBC',
    0xcca8: 'ECDHE RSA CHACHA20 256 POLY1305',
    0xc0a2: 'DHE RSA AES 128 CCM',
    0xc0aa: 'DHE PSK AES 128 CCM',
    0x0003: 'RSA RSA RC4 40 stream',
    0x0004: 'RSA RSA RC4 128 stream',
    0x0006: 'RSA RSA RC2 40 CBC',
    0x0008: 'RSA RSA DES 40 CBC',
    0x0009: 'RSA RSA DES 56 CBC',
    0x000a: 'RSA RSA 3DES 112 CBC',
    0x0010: 'DH RSA 3DES 112 CBC',
    0x0017: 'DHE anonymous RC4 40 stream',
    0x0026: 'KRB5 KRB5 DES 40 CBC',
    0x003b: 'RSA RSA NULL 0 none',
    0x0061: 'RSA RSA RC2 56 CBC',
    0x0062: 'RSA RSA DES 56 CBC',
    0x0064: 'RSA RSA RC4 56 stream',
    0x0007: 'RSA RSA IDEA 128 CBC',
    0x0096: 'RSA RSA SEED 128 CBC',
    0xfeff: 'RSA RSA 3DES 112 CBC',
    0xc101: 'GOST GOST MAGMA 256 stream',
    0xc01b: 'SRP RSA 3DES 112 CBC',
    0x00c6: 'any any SM4 128 GCM',
    0x020080: 'RSA RSA RC4 40 stream',
    0x040080: 'RSA RSA RC2 40 CBC',
    0x060040: 'RSA RSA DES 56 CBC',
    0x0700c0: 'RSA RSA 3DES 112 CBC',
    0x080080: 'RSA RSA RC4 64 stream',
  };
  for (const [id, words] of Object.entries(expected))
    assert.equal(properties(Number(id)), words, suite(Number(id)).name);
});

test('every suite name leads to a known cipher', () => {
  assert.equal(
    [...SUITES.values()].filter(({ cipher }) => cipher === 'unknown').map(({ name }) => name),
    [],
  );
  assert.equal(
    [...SUITES.values()]
      .filter(({ exchange, first }) => exchange === 'any' && first !== 0x0304)
      .map(({ name }) => name),
    [],
  );
});

test('only suites with ephemeral keys have forward secrecy', () => {
  const secret = (id: number): boolean => suite(id).forwardSecrecy;
  assert.equal([0x1301, 0xc02f, 0x009e, 0xc035].map(secret), [true, true, true, true]);
  assert.equal([0x002f, 0xc004, 0x0010, 0x0014, 0x010080, 0x00ac].map(secret), Array(6).fill(false));
});

test('unregistered cipher suites have names', () => {
  assert.equal(suite(0x7f01).name, '0x7f01');
  assert.equal(suite(0x0a0b0c).name, '0x0a0b0c');
});

if (hasOpenssl())
  test('cipher suites have the same names as in OpenSSL', () => {
    const list = spawnSync('openssl', ['ciphers', '-stdname', '-V', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
      encoding: 'utf8',
    }).stdout;
    const first: Record<string, number> = { SSLv3: 0x0300, TLSv1: 0x0300, 'TLSv1.2': 0x0303, 'TLSv1.3': 0x0304 };
    let compared = 0;
    for (const [, high = '', low = '', name = '', protocol = '', bits = '0'] of list.matchAll(
      /0x(\w\w),0x(\w\w) - (\S+)\s+- \S+\s+(\S+)\s+Kx=\S+\s+Au=\S+\s+Enc=[^(\s]+(?:\((\d+)\))?/g,
    )) {
      const ours = suite(Number.parseInt(high + low, 16));
      assert.equal(
        [ours.name, ours.bits, ours.first],
        [name, ours.cipher === '3DES' ? 112 : Number(bits), first[protocol]],
        name,
      );
      compared++;
    }
    assert.ok(compared > 100);
  });
else console.log('  skipped: openssl is not installed');

test.run();
