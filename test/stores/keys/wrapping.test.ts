import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSealed, seal } from '../../../stores/keys/wrapping.ts';

const test = suite('the form of sealed texts');

const key = Buffer.alloc(32, 7);
const location = { organizationId: 'organization', field: 'parameters.http_request.password' };

test('a sealed text of the first releases can be read at any location', () => {
  const old = { key: 'check-check0000001', sealed: 'AZNzxM4HsSUoJb4+9T3GaVOIbXZown73Rf/KEvGj7FKPs/ZK' };
  assert.is(openSealed(key, old, location), 'hunter2');
  assert.throws(() => openSealed(key, { ...old, key: 'check-2' }, location), /can't be read/);
});

test('a sealed text of this release can be read only at the location for which it was sealed', () => {
  const stored = { key: 'check-check0000001', sealed: 'AvKlcnKdPGGkbDpN2VlMfTOkn8PeNe0w/bK1Lv5ABY7a8ZAI' };
  assert.is(openSealed(key, stored, location), 'hunter2');
  assert.throws(() => openSealed(key, stored, { ...location, organizationId: 'another' }), /for another location/);
});

test('a sealed text contains the number of its format, and can not be opened in the other format', () => {
  const sealed = seal(key, 'check-1', 'secret', location);
  const bytes = Buffer.from(sealed.sealed, 'base64');
  assert.is(bytes[0], 2);
  bytes[0] = 1;
  const changed = { ...sealed, sealed: bytes.toString('base64') };
  assert.throws(() => openSealed(key, changed, location), /can't be read/);
});

test.run();
