import { Parser } from 'htmlparser2';
import * as assert from 'uvu/assert';

/** An element of a parsed page. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** content of an element that contains only text: a script, style or title */
  text?: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Names of the elements that pages may contain. */
const ELEMENTS = words(
  'html head body meta title link script header main nav footer section article div span p h1 h2 h3 h4 h5 h6 a ul ol li dl ' +
    'dt dd table caption thead tbody tr th td details summary form label input select option button textarea fieldset legend ' +
    'time bdi strong em del code pre blockquote br hr img figure figcaption small output dialog search ins svg symbol g use ' +
    'path rect circle line text polyline',
);
const ATTRIBUTES = words(
  'id class lang dir title href src alt rel type name content property charset defer sizes role tabindex open for value ' +
    'method action selected checked required disabled placeholder autocomplete maxlength minlength pattern rows scope colspan ' +
    'datetime start hidden readonly width height viewbox preserveaspectratio d x y x1 x2 y1 y2 cx cy r rx points ' +
    'focusable target novalidate http-equiv referrerpolicy autofocus inputmode fill stroke stroke-width stroke-dasharray ' +
    'spellcheck min max step',
);

export interface Allowed {
  /** origins that pictures may come from, in addition to the page's own */
  pictures: readonly string[];
  /** public URLs of the service, with which canonical URLs may begin */
  services: readonly string[];
  /** path of the page, such as `/status/acme/history` */
  path: string;
}

/** Returns whether a URL, relative to a path, is below the root of the status page. */
export const isBelow = (address: string, path: string): boolean => {
  if (!URL.canParse(address, `https://own.invalid${path}`)) return false;
  const url = new URL(address, `https://own.invalid${path}`);
  return url.origin === 'https://own.invalid' && url.pathname.startsWith('/status/acme/');
};

/** Fails if an element could run a script, or load from, send to or navigate to a forbidden URL. */
export const assertHarmless = ({ name, attributes, text = '' }: Element, allowed: Allowed): void => {
  const isOwn = (address: string): boolean => isBelow(address, allowed.path);
  const label = `<${name} ${JSON.stringify(attributes).slice(0, 300)}> at ${allowed.path}`;
  assert.ok(ELEMENTS.has(name), `${label} is no element of ours`);
  for (const attribute of Object.keys(attributes)) {
    const known = ATTRIBUTES.has(attribute.toLowerCase()) || /^(?:data|aria)-[a-z-]+$/.test(attribute);
    assert.ok(known, `${label} has ${attribute}`);
  }
  const { href, src, action, rel = '' } = attributes;
  if (name === 'script' && src === undefined) {
    assert.is(attributes['type'], 'application/ld+json', label);
    assert.ok(typeof JSON.parse(text) === 'object', label);
    return;
  }
  if (src !== undefined) {
    const isPicture = name === 'img' && allowed.pictures.includes(URL.canParse(src) ? new URL(src).origin : '');
    assert.ok(isOwn(src) || isPicture, `${label} loads from elsewhere`);
  }
  if (action !== undefined) assert.ok(isOwn(action), `${label} is sent elsewhere`);
  if ('http-equiv' in attributes)
    assert.match(JSON.stringify(attributes), /^\{"http-equiv":"refresh","content":"\d+"\}$/, label);
  if ('target' in attributes) assert.match(rel, /\bnoopener\b/, label);
  if (href === undefined) return;
  if (name === 'link') {
    const isPicture = rel === 'icon' && allowed.pictures.includes(URL.canParse(href) ? new URL(href).origin : '');
    const isCanonical = rel === 'canonical' && allowed.services.some((one) => href.startsWith(one));
    assert.ok(isOwn(href) || isPicture || isCanonical, `${label} loads from elsewhere`);
    assert.ok(/^(?:stylesheet|icon|manifest|alternate|canonical)$/.test(rel), label);
  } else if (name === 'use') assert.match(href, /^#[a-z-]+$/, label);
  else {
    assert.is(name, 'a', label);
    const { protocol } = new URL(href, 'https://own.invalid/');
    assert.ok(/^(?:https?|mailto):$/.test(protocol), `${label} leads to ${protocol}`);
    if (!isOwn(href)) assert.match(rel, /\bnoopener\b.*\bnoreferrer\b/, label);
  }
};

/** Matches characters that change the direction of the text after them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;
/** Matches a closed isolate, which affects only its own text. */
const CLOSED = /\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069/gu;

/** Returns the elements of a page. Fails if a text with direction controls is not isolated. */
export const elementsOf = (html: string): Element[] => {
  const found: (Element & { text: string })[] = [];
  const open: (Element & { text: string })[] = [];
  const turning: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const element = { name, attributes, text: '' };
      found.push(element);
      open.push(element);
    },
    ontext: (text) => {
      const inner = open.at(-1);
      if (inner) inner.text += text;
    },
    onclosetag: () => {
      const inner = open.at(-1);
      const isApart = open.some(
        ({ name, attributes }) => /^(?:bdi|title|script)$/.test(name) || attributes['dir'] === 'auto',
      );
      if (inner && !isApart && TURNING.test(inner.text.replace(CLOSED, '')))
        turning.push(`<${inner.name} class="${inner.attributes['class'] ?? ''}"> ${inner.text.slice(0, 80)}`);
      open.pop();
    },
  });
  parser.write(html);
  parser.end();
  assert.equal(turning, [], 'texts turn the direction of what follows');
  return found;
};

/** Fails if a page, or a part of a page, contains a harmful element. */
export const assertHarmlessHtml = (html: string, allowed: Allowed): void => {
  for (const element of elementsOf(html)) assertHarmless(element, allowed);
};
