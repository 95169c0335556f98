import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { request } from '../../api/http.ts';
import { startService, type Service } from '../../api/service.ts';

const test = suite('HTML frames of the console');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

const HTML = '<!doctype html>\r\n<p style="color: red">Grüße = a&b</p>\r\n';

const post = (headers: Record<string, string> = {}) =>
  request(service.port, {
    method: 'POST',
    path: '/console/rendered',
    headers: { 'content-type': 'text/plain', ...headers },
    body: `html=${HTML}`,
  });

test("a console frame shows the submitted HTML, which can't run scripts, send forms or be framed by other sites", async () => {
  const reply = await post({ 'sec-fetch-site': 'same-origin' });
  assert.is(reply.status, 200, reply.text);
  assert.is(reply.text, HTML);
  assert.match(String(reply.headers['content-type']), 'text/html');
  assert.match(String(reply.headers['cache-control']), 'no-store');
  const policy = String(reply.headers['content-security-policy']).split(';');
  assert.equal(policy.sort(), [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'img-src data: https:',
    'sandbox',
    "style-src 'unsafe-inline' data:",
  ]);
});

test('a console frame does not show HTML that another site has submitted', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://attacker.example' }, { origin: 'null' }])
    assert.is((await post(headers)).status, 403, JSON.stringify(headers));
});

test.run();
