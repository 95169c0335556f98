import * as assert from 'uvu/assert';

const VOID = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const SVG_EMPTY = new Set(['path', 'circle', 'rect', 'use', 'line']);
const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:@-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*(\/?)>/g;

const attributesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/([\w:@-]+)(?:\s*=\s*"([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]));

/**
 * Fails if a page has elements that are not closed in order, duplicate ids, references to missing ids, inline styles or
 * scripts, or a `<` that is neither part of a tag nor escaped.
 */
export const assertWellFormedHtml = (html: string): void => {
  assert.match(html, /^<!doctype html>\n<html lang="[a-z]{2}"/);
  const open: string[] = [];
  const ids = new Set<string>();
  const references: string[] = [];
  const elements = [...html.slice('<!doctype html>'.length).matchAll(TAG)];
  for (const [whole, closing, name = '', attributeText = '', selfClosing] of elements) {
    if (closing === '/') {
      assert.is(open.pop(), name, `${whole} closes another element`);
      continue;
    }
    const attributes = attributesOf(attributeText);
    const id = attributes.get('id');
    if (id !== undefined) {
      assert.not.ok(ids.has(id), `the id ${id} occurs twice`);
      ids.add(id);
    }
    const href = attributes.get('href') ?? '';
    if (href.startsWith('#')) references.push(href.slice(1));
    for (const reference of ['aria-labelledby', 'aria-describedby', 'for', 'aria-controls'])
      references.push(...(attributes.get(reference)?.split(' ') ?? []));
    assert.not.ok(attributes.has('style'), `${whole} has a style`);
    for (const attribute of attributes.keys()) assert.not.match(attribute, /^on/i, whole);
    if (name === 'script') assert.ok(attributes.has('src'), 'there is an inline script');
    assert.is.not(name, 'style');
    if (!VOID.has(name) && selfClosing !== '/' && !SVG_EMPTY.has(name)) open.push(name);
    else if (SVG_EMPTY.has(name) && selfClosing !== '/') open.push(name);
  }
  assert.equal(open, [], 'elements are left open');
  for (const id of references) assert.ok(ids.has(id), `nothing has the id ${id}`);
  const rest = html.slice('<!doctype html>'.length).replace(TAG, '');
  assert.not.match(rest, /</, 'a < is neither a tag nor escaped');
  const headings = elements.filter(([, closing, name = '']) => closing === '' && /^h[1-6]$/.test(name));
  assert.is(headings.filter(([, , name]) => name === 'h1').length, 1, 'a page has one h1');
  assert.is(elements.filter(([, closing, name]) => closing === '' && name === 'main').length, 1);
};

/** Returns the URLs that a page loads automatically, such as stylesheets, scripts, images and frames. */
export const loadedFrom = (html: string): string[] =>
  [...html.matchAll(TAG)].flatMap(([, closing, name = '', text = '']) => {
    if (closing === '/') return [];
    const attributes = attributesOf(text);
    const address = name === 'link' ? attributes.get('href') : attributes.get('src');
    const others = ['srcset', 'poster', 'data'].flatMap((one) => attributes.get(one) ?? []);
    return [...(address === undefined ? [] : [address]), ...others];
  });
