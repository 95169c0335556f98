import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSealed, mapSealedPlaces, sealedPlaces } from '../../../domain/check/sealing.ts';

const sealing = suite('what of a check is sealed');

const parameters = {
  search_text: 'ok',
  http_request: {
    method: 'POST',
    headers: { AUTHORIZATION: 'Bearer abc', 'X-Trace': '1' },
    body: 'a=b',
    username: 'u',
    password: 'p',
    note: 'kept as sent',
  },
};

sealing('is the credentials, the body and the header values of its request', () => {
  assert.equal(
    sealedPlaces(parameters).map(({ path, secret }) => [path.join('.'), secret]),
    [
      ['http_request.username', false],
      ['http_request.password', true],
      ['http_request.body', false],
      ['http_request.headers.AUTHORIZATION', true],
      ['http_request.headers.X-Trace', false],
    ],
  );
});

sealing('is nothing where there is no request', () => {
  assert.equal(sealedPlaces({}), []);
  assert.equal(sealedPlaces({ http_request: 'GET' }), []);
  assert.equal(sealedPlaces({ http_request: { headers: ['a'] } }), []);
});

sealing('all else stays as it is, and so does what was given', async () => {
  const before = structuredClone(parameters);
  const mapped = await mapSealedPlaces(parameters, async (text, { secret }) =>
    secret ? 'secret' : `<${String(text)}>`,
  );
  assert.equal(mapped, {
    search_text: 'ok',
    http_request: {
      method: 'POST',
      headers: { AUTHORIZATION: 'secret', 'X-Trace': '<1>' },
      body: '<a=b>',
      username: '<u>',
      password: 'secret',
      note: 'kept as sent',
    },
  });
  assert.equal(parameters, before);
});

sealing('a sealed text is told by its shape', () => {
  assert.ok(isSealed({ key: 'check-1', sealed: 'x' }));
  assert.not(isSealed('x'));
  assert.not(isSealed(null));
  assert.not(isSealed({ key: 'check-1' }));
});

sealing.run();
