import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { customAddress, customRules, customStylesheet } from '../../../site/themes/custom/custom-rules.ts';

const test = suite('the custom rules of a status page');

const lines = (text: string): string[] => customRules(text).trim().split('\n').filter(Boolean);

test('every custom selector is scoped to the element of the page', () => {
  for (const [written, scoped] of [
    ['.card', '.status-page .card'],
    ['.a .b, h1 > a:hover', '.status-page .a .b,.status-page h1>a:hover'],
    ['*', '.status-page *'],
    ['body', '.status-page'],
    ['html > body .card', '.status-page .card'],
    [':root .card', '.status-page .card'],
    ['.status-page > main', '.status-page>main'],
    ['.a ~ .b', '.status-page .a~.b'],
    [':is(body, .x) + .y', '.status-page :is(body,.x)+.y'],
    ['details[open] > summary', '.status-page details[open]>summary'],
    ['li:nth-child(2n + 1)', '.status-page li:nth-child(2n+1)'],
    ['.row::before', '.status-page .row::before'],
  ] as const)
    assert.equal(lines(`${written} { color: red }`), [`${scoped}{color:red}`], written);
});

test('custom selectors are dropped only if they leave the page, read its texts or are unknown', () => {
  const wrong = ['body + .x', '.status-page ~ div', '> .x', '+ .x', '& .x', 'body.dark', '[value^="a"]', 'a[href*=x]'];
  wrong.push(':has(input)', ':host', '::part(x)', '::slotted(a)', '::-webkit-scrollbar', 'svg|a', '*|*', '.a\\3A b');
  wrong.push(':visited', 'input:autofill', ':is(a, :has(b))', '.a'.repeat(41), '@x', '100%', 'a{b');
  for (const one of wrong) assert.equal(lines(`${one} { color: red }`), [], one);
  assert.equal(lines('a:has(b), .fine { color: red }'), ['.status-page .fine{color:red}']);
});

test('custom rules can set fonts, colours, borders, spacing, sizes and alignment', () => {
  for (const declaration of [
    'font-family:"Acme Sans",Georgia,serif',
    'font:600 1.5rem/1.2 Georgia',
    'color:#123456',
    'color:rgb(1 2 3/50%)',
    'background:var(--subtle)',
    'background-color:color-mix(in srgb,red,blue)',
    'border:1px solid #ccc',
    'border-radius:0 4px',
    'padding:0 calc(1rem + 2px)',
    'margin:0 auto',
    'max-width:min(100%,60rem)',
    'box-shadow:0 2px 8px rgb(0 0 0/.2)',
    'text-transform:uppercase',
    'letter-spacing:.1em',
    'grid-template-columns:repeat(auto-fill,minmax(10rem,1fr))',
    'justify-content:center',
    'display:none',
  ])
    assert.equal(lines(`.x{${declaration}}`), [`.status-page .x{${declaration}}`], declaration);
  assert.equal(lines('.x{color:red!important;color:blue}'), ['.status-page .x{color:red;color:blue}']);
});

test("custom rules can't load, move, fade, animate or write anything", () => {
  for (const declaration of [
    ...['background:url(https://evil.example/x)', 'background-image:image-set("x" 1x)', 'background:red url(x)'],
    ...['list-style:url(x)', 'list-style-image:url(x)', 'cursor:url(x),auto', 'border-image:url(x) 1', 'mask:url(#x)'],
    ...['width:expression(alert(1))', 'behavior:url(x)', '-moz-binding:url(x)', 'color:attr(value)', 'width:env(x)'],
    ...[
      'color:u\\72l(x)',
      'background:\\75rl(x)',
      'color:\\red',
      'p\\6fsition:fixed',
      'color:image(x)',
      'src:local(x)',
    ],
    ...['position:fixed', 'position:absolute', 'position:sticky', 'inset:0', 'top:0', 'z-index:9', 'float:left'],
    ...['transform:scale(9)', 'translate:9px', 'opacity:0', 'filter:blur(9px)', 'visibility:hidden', 'clip-path:none'],
    ...['animation:x 1s', 'transition:all 1s', 'content:"Operational"', 'quotes:"a" "b"', 'all:unset', 'fill:green'],
    ...['--major-fill:green', '--x:1', 'outline:none', 'margin:-9px', 'margin:calc(0px - 9px)', 'text-indent:-99px'],
    ...['letter-spacing:-1em', 'box-shadow:0 0 0 999px red', 'box-shadow:0 0 0 9em red', 'box-shadow:0 0 0 9vw red'],
    ...['margin-top:min(-9px,1px)', 'direction:rtl', 'unicode-bidi:bidi-override', 'pointer-events:none', 'order:9'],
    ...['color:var(--x,url(x))', 'color:"x"', 'background:red,blue', 'background:0 0', 'color:{}', 'zoom:9', 'color:'],
    ...['-webkit-text-fill-color:red', 'mix-blend-mode:color', 'color-scheme:dark', 'writing-mode:vertical-rl'],
  ])
    assert.equal(lines(`.x{${declaration}}`), [], declaration);
});

test('custom rules can contain only the at-rule @media, without nested at-rules', () => {
  assert.equal(lines('@media (max-width: 600px) and (prefers-color-scheme: dark) { .x { color: red } }'), [
    '@media (max-width:600px) and (prefers-color-scheme:dark){',
    '.status-page .x{color:red}',
    '}',
  ]);
  for (const rule of [
    '@import "https://evil.example/x.css";',
    '@import url(x);',
    '@charset "utf-8";',
    '@namespace svg url(x);',
    '@font-face { font-family: x; src: url(x) }',
    '@keyframes x { to { color: red } }',
    '@supports (color: red) { .x { color: red } }',
    '@layer states { .x { color: red } }',
    '@property --x { syntax: "*" }',
    '@container (width > 1px) { .x { color: red } }',
    '@media print { @media screen { .x { color: red } } }',
    '@media print { @import "x"; }',
    '@page { margin: 0 }',
    '@scope (body) { .x { color: red } }',
    '@\\6dedia print { .x { color: red } }',
  ])
    assert.equal(lines(rule), [], rule);
  assert.equal(lines('@import "x"; .x { color: red }'), ['.status-page .x{color:red}']);
});

test('unparsable custom rules do not affect other rules', () => {
  assert.equal(
    lines('.a { color: red; ;;: x } .b { colour } } .c { color: blue }').at(0),
    '.status-page .a{color:red}',
  );
  assert.equal(lines('.a { color: blue; .b { color: red } }'), ['.status-page .a{color:blue}']);
  assert.equal(lines('</style><script>alert(1)</script> .a { color: red }'), []);
  assert.equal(lines('<!-- .a { color: red } -->'), ['.status-page .a{color:red}']);
  assert.equal(lines('.a { color: red'), ['.status-page .a{color:red}']);
});

/** Pieces of CSS. Each is repeated up to ten thousand characters, which could be slow to parse. */
const REPEATED = ['{', '(', '[', 'a{', 'a{b:', 'a{color:rgb(', '@media (', '@media x{', ':is(', 'a{}', '\\', '"', "'"];
REPEATED.push(
  '/*',
  'url(',
  ';',
  'a,',
  'a>',
  'a ',
  '*',
  '--x:{',
  '@',
  '<!--',
  'a{b:c;',
  '.a.b ',
  'calc(',
  '#',
  '!',
  '}',
);
REPEATED.push(
  ')',
  'a:not(',
  '@x{',
  'a{&',
  'u+',
  '-',
  '1e',
  'a{color:red}',
  'a{color:red;color:red}',
  '\u0000',
  '\u202e',
);
REPEATED.push('a{color:', '+', ':', '::', '[a=', '|', 'é', '💥', '\ud800', '\r\n', 'a{width:calc(1px + ');

test('no custom rules cause an error, affect anything outside the page, or result in a stylesheet that is many times as large', () => {
  for (const part of REPEATED) {
    const text = part.repeat(Math.floor(10_000 / part.length));
    for (const whole of [text, `${text} .x{color:red}`.slice(-10_000), `.x{color:${text}`.slice(0, 10_000)]) {
      const rules = customRules(whole);
      assert.ok(rules.length < 100_000, part);
      assert.not.match(rules, /url|@(?!media)|\\|--x/, part);
    }
  }
  assert.is(customRules(`.x{color:red}${' '.repeat(10_000)}`), '');
});

test('the custom stylesheet of a page contains the rules of all colour fields that contain rules instead of a colour', () => {
  const none = { css_greens: null, css_blues: null, css_yellows: null, css_oranges: null, css_reds: null };
  assert.is(customStylesheet(none), null);
  assert.is(customAddress({ ...none, css_greens: '#0a0', css_reds: '@import "x";' }), null);
  const found = customStylesheet({
    ...none,
    css_greens: '#0a0',
    css_blues: '.a{color:red}',
    css_reds: '.b{color:blue}',
  });
  assert.is(found?.css, '.status-page .a{color:red}\n.status-page .b{color:blue}\n');
  const [one, other] = ['.a{color:red}', '.a{color:blue}'].map((css_reds) => customAddress({ ...none, css_reds }));
  assert.match(String(one), /^custom\.css\?v=[\w-]{12}$/);
  assert.is.not(one, other);
});

test.run();
