import { request as requests, Router, type Request, type Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { v1Routes } from '../../api/v1/index.ts';
import { createPathTree } from '../../http/path-tree.ts';
import { styleRoutes } from '../../site/styles/routes.ts';
import { subscriptionRoutes } from '../../site/subscriptions/routes.ts';
import { accountRoutes } from '../../site/users/routes.ts';

const test = suite('matching paths');

const OWN = ['/health/live', '/health/ready', '/metrics', '/openapi.json'];
const declaredPaths = (routes: readonly { path: string }[]): string[] => [...new Set(routes.map(({ path }) => path))];
const SERVED = declaredPaths([
  ...v1Routes,
  ...styleRoutes,
  ...subscriptionRoutes,
  ...accountRoutes,
  ...OWN.map((path) => ({ path })),
]);
/** Paths with common prefixes. */
const SHARED = [
  '/',
  '/a',
  '/a/{x}',
  '/a/b',
  '/a/{x}/c',
  '/a/b/{y}',
  '/a/{x}/{y}',
  '/{x}',
  '/{x}/b/{y}/d',
  '/{x}/{y}/c/d',
];

type Answer = { path: string; params: Record<string, string> } | 'unknown' | 'undecodable';

const byTree = (paths: readonly string[]): ((path: string) => Answer) => {
  const find = createPathTree(paths.map((path) => ({ path, value: path })));
  return (path) => {
    try {
      const found = find(path);
      return found ? { path: found.value, params: found.params } : 'unknown';
    } catch (error) {
      assert.instance(error, URIError);
      return 'undecodable';
    }
  };
};

/** Returns the path of a URL as parsed by Express. */
const pathOf = (url: string): string => (Object.assign(Object.create(requests) as Request, { url }) as Request).path;

/**
 * Returns a function that matches paths with Express. Sorts the paths first, because Express uses the first path that
 * matches.
 */
const byExpress = (paths: readonly string[]): ((path: string) => Promise<Answer>) => {
  const router = Router({ caseSensitive: true });
  const order = (path: string): string => path.replaceAll('{', '\u{10ffff}');
  let answer: (given: Answer) => void = () => undefined;
  for (const path of [...paths].sort((one, other) => (order(one) < order(other) ? -1 : 1))) {
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), ({ params }) => {
      answer({ path, params: { ...params } as Record<string, string> });
    });
  }
  return (url) =>
    new Promise((resolve) => {
      answer = resolve;
      const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url });
      router(request as Request, new ServerResponse(request) as Response, (error?: unknown) => {
        resolve(error instanceof URIError ? 'undecodable' : 'unknown');
      });
    });
};

const VALUES = [
  'k3v9x0q2m7ab',
  'K3',
  'a%20b',
  'a%2Fb',
  '%E2%82%AC',
  '.',
  '..',
  '%2e%2e',
  '~',
  'a:b;c=d',
  '%',
  '%zz',
  '%ff',
];

/** Returns variants of a path with values for its parameters, including unusual paths that clients may send. */
const oddOnes = (path: string, words: readonly string[]): string[] => {
  const filled = [...VALUES, ...words].map((value) => path.replace(/\{\w+\}/g, () => value));
  const [plain = ''] = filled;
  const first = [...words, ...VALUES].map((value) => path.replace(/\{\w+\}/, () => value).replace(/\{\w+\}/g, 'k1'));
  const last = [...words, ...VALUES].map((value) =>
    path.replace(/\{\w+\}(?!.*\{)/, () => value).replace(/\{\w+\}/g, 'k1'),
  );
  return [
    ...filled,
    ...first,
    ...last,
    path,
    `${plain}/`,
    `${plain}//`,
    `/${plain}`,
    `${plain}/more`,
    `${plain}/%zz`,
    plain.replace(/.\//, '$&/'),
    plain.toUpperCase(),
    plain.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    plain.slice(0, plain.lastIndexOf('/')),
    plain.slice(0, plain.lastIndexOf('/') + 1),
    plain.replace(/\/[^/]*\//, '//'),
    plain.slice(1),
    plain.replaceAll('/', '\\'),
    path.replace(/\{\w+\}/g, ''),
  ];
};

for (const [what, paths] of [
  ['all paths that are served', SERVED],
  ['paths that share their beginnings', SHARED],
] as const) {
  test(`${what} are matched as by Express`, async () => {
    const tree = byTree(paths);
    const express = byExpress(paths);
    const words = [...new Set(paths.flatMap((path) => path.split('/')))].filter((word) => /^[^{]/.test(word));
    const few = paths === SERVED ? words.filter((_, index) => index % 7 === 0) : words;
    const besides = [
      '/',
      '//',
      '///',
      '/v1',
      '/v1/',
      '/v1//',
      '/V1/pages',
      '*',
      '/favicon.ico',
      '/%',
      '/__proto__/constructor',
    ];
    const candidates = new Set([...besides, ...paths.flatMap((path) => oddOnes(path, few))]);
    const kinds = new Set<string>();
    for (const path of candidates) {
      if (path === '') continue;
      const found = tree(pathOf(path));
      kinds.add(typeof found === 'string' ? found : 'found');
      assert.equal(found, await express(path), path);
    }
    assert.equal([...kinds].sort(), ['found', 'undecodable', 'unknown']);
  });
}

test('a fixed segment takes precedence over a parameter at the same position', () => {
  const tree = byTree(SHARED);
  assert.equal(tree('/a/b'), { path: '/a/b', params: {} });
  assert.equal(tree('/a/b/c'), { path: '/a/b/{y}', params: { y: 'c' } });
  assert.equal(tree('/a/b/c/d'), { path: '/{x}/b/{y}/d', params: { x: 'a', y: 'c' } });
});

test('a parameter for the rest of a path matches any number of segments, and has the lowest precedence', () => {
  const tree = byTree(['/a/{x}', '/a/{x}/b', '/a/{x}/{y}/c', '/a/{x}/{...rest}']);
  assert.equal(tree('/a/1'), { path: '/a/{x}', params: { x: '1' } });
  assert.equal(tree('/a/1/b'), { path: '/a/{x}/b', params: { x: '1' } });
  assert.equal(tree('/a/1/b/c'), { path: '/a/{x}/{y}/c', params: { x: '1', y: 'b' } });
  for (const path of ['/a/1/z', '/a/1/b/d', '/a/1/b/c/d', '/a/1//', '/a/1/%zz', '/a/1/../2', '/a/1/%2e%2e/2'])
    assert.equal(tree(path), { path: '/a/{x}/{...rest}', params: { x: '1' } }, path);
  for (const path of ['/a', '/a//b', '/b/1/z']) assert.is(tree(path), 'unknown', path);
  assert.throws(() => byTree(['/a/{...x}', '/a/{...y}']), 'are the same path');
  assert.throws(() => byTree(['/a/{...x}/b']), 'is not a whole segment');
});

test('a path can be declared only once', () => {
  assert.throws(() => byTree(['/a/{x}', '/a/{y}']), 'are the same path');
  assert.throws(() => byTree(['/a/{x}.json']), 'is not a whole segment');
});

test.run();
