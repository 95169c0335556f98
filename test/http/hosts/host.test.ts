import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { absoluteTarget, hostNameIn, hostProblem, isHost } from '../../../http/hosts/host.ts';

const test = suite('the host of a request');

test('a host name is normalized: no port, lower case, no trailing dot', () => {
  for (const text of ['acme.example', 'ACME.Example', 'acme.example.', 'acme.example:8080', 'Acme.example.:443'])
    assert.is(hostNameIn(text), 'acme.example', text);
  assert.is(hostNameIn('127.0.0.1:3000'), '127.0.0.1');
});

test('an IPv6 address, an empty header and an invalid host give no host name', () => {
  for (const text of ['[::1]', '[::1]:3000', '', ':80', 'a b', 'a/b', 'u@acme.example', 'acme.example:x', 'a,b c'])
    assert.is(hostNameIn(text), null, text);
  assert.is(hostNameIn(`${'a'.repeat(300)}.example`), null);
});

test('a request with a missing, repeated or invalid Host header is refused', () => {
  const problem = (httpVersion: string, ...hosts: string[]): string | null =>
    hostProblem({
      httpVersion,
      headers: hosts[0] === undefined ? {} : { host: hosts[0] },
      rawHeaders: hosts.flatMap((host, at) => [at % 2 === 0 ? 'Host' : 'hOST', host]),
    });
  assert.is(problem('1.1', 'acme.example:80'), null);
  assert.is(problem('1.1', ''), null);
  assert.is(problem('1.0'), null);
  assert.match(problem('1.1') ?? '', 'must have a Host header');
  assert.match(problem('1.1', 'acme.example', 'other.example') ?? '', 'one Host header');
  assert.match(problem('1.1', 'acme.example/../x') ?? '', 'not a valid host');
  assert.not(isHost('acme.example\u00e9'));
});

test('the host of a request whose target is a URL is the host of that URL', () => {
  assert.equal(absoluteTarget('http://acme.example:80/a?b'), { host: 'acme.example:80', path: '/a?b' });
  assert.equal(absoluteTarget('HTTPS://acme.example?b'), { host: 'acme.example', path: '/?b' });
  assert.equal(absoluteTarget('http://acme.example'), { host: 'acme.example', path: '/' });
  for (const target of ['*', '/a', 'http:///a', 'http://u@acme.example/', 'ftp://acme.example/', 'acme.example:80'])
    assert.is(absoluteTarget(target), null, target);
});

test.run();
