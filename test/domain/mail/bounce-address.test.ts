import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bounceAddress,
  deliveryOfBounceAddress,
  MAX_BOUNCE_LOCAL_LENGTH,
} from '../../../domain/mail/bounce-address.ts';
import { mac } from '../../notifiers/email/send-mail.ts';

const test = suite('the address for reports of a failed e-mail');

const DELIVERY = 'k3v9x0q2m7ab';
const FROM = { local: 'status', domain: 'example.org' };

test('a bounce address identifies its delivery', async () => {
  const address = await bounceAddress(DELIVERY, FROM, mac);
  assert.match(address, /^status\+k3v9x0q2m7ab\.[0-9a-f]{16}@example\.org$/);
  assert.is(await deliveryOfBounceAddress(address, mac), DELIVERY);
});

test('a bounce address is recognized in upper and lower case, and under other domains and service names', async () => {
  const address = await bounceAddress(DELIVERY, FROM, mac);
  assert.is(await deliveryOfBounceAddress(address.toUpperCase(), mac), DELIVERY);
  assert.is(await deliveryOfBounceAddress(address.replace('status+', 'old+x+'), mac), DELIVERY);
  assert.is(await deliveryOfBounceAddress(address.replace('example.org', 'example.net'), mac), DELIVERY);
});

test('a bounce address can only be created by the service', async () => {
  const address = await bounceAddress(DELIVERY, FROM, mac);
  const other = address.replace(DELIVERY, 'k3v9x0q2m7ac');
  const last = address.replace(/.@/, (end) => (end.startsWith('0') ? '1@' : '0@'));
  for (const forged of [
    other,
    last,
    'status@example.org',
    'status+k3v9x0q2m7ab@example.org',
    '',
    'x'.repeat(1_000_000),
  ]) {
    assert.is(await deliveryOfBounceAddress(forged, mac), null, forged.slice(0, 100));
  }
  assert.is(await deliveryOfBounceAddress(address, (kind, text) => mac(`${kind} of another service`, text)), null);
});

test('a bounce address has a valid length if the local part of the sender is not too long', async () => {
  const local = 'x'.repeat(MAX_BOUNCE_LOCAL_LENGTH);
  const address = await bounceAddress(DELIVERY, { ...FROM, local }, mac);
  assert.is(address.indexOf('@'), 64);
  assert.is(await deliveryOfBounceAddress(address, mac), DELIVERY);
});

test.run();
