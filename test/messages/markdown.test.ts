import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markdownHtml } from '../../messages/markdown/html.ts';
import { markdownText } from '../../messages/markdown/text.ts';
import { HOSTILE, PATHOLOGICAL, RICH } from './markdown-samples.ts';

const test = suite('Markdown in messages');

test('all usual elements of Markdown are rendered as HTML', () => {
  const html = markdownHtml(RICH);
  for (const part of [
    '<strong>disk space</strong>',
    '<em>writes</em>',
    '<code>ENOSPC</code>',
    '<h3>What we are doing</h3>',
    '<ol>\n<li>Adding a volume of 2 TiB</li>',
    '<a href="https://grafana.acme.example/d/db?from=now-1h&amp;to=now" rel="nofollow noopener noreferrer">the dashboard</a>',
    '<blockquote>\n<p>Reads are not affected.</p>',
    '<th>Region</th>',
    '<td><del>failing</del> fine</td>',
    '<pre><code>curl -sS https://api.acme.example/health\n</code></pre>',
    '<a href="mailto:support@acme.example" rel="nofollow noopener noreferrer">support@acme.example</a>',
    '<a href="https://acme.example/support" rel="nofollow noopener noreferrer">https://acme.example/support</a>.',
  ]) {
    assert.ok(html.includes(part), `${part} is missing in ${html}`);
  }
  assert.is(markdownHtml('one\ntwo'), '<p>one<br />two</p>\n');
});

test('Markdown is rendered as readable plain text', () => {
  assert.is(
    markdownText(RICH),
    [
      'We found the cause: the primary database ran out of disk space, and writes fail with ENOSPC.',
      'What we are doing',
      [
        '1. Adding a volume of 2 TiB',
        '2. Moving the oldest partitions',
        '   - events_2024',
        '   - events_2025',
        '3. Watching the dashboard (https://grafana.acme.example/d/db?from=now-1h&to=now)',
      ].join('\n'),
      '> Reads are not affected.',
      'Region | Reads | Writes\nFrankfurt | fine | failing\nVirginia | fine | failing fine',
      '    curl -sS https://api.acme.example/health',
      'Questions: support@acme.example or https://acme.example/support.',
    ].join('\n\n'),
  );
  assert.is(
    markdownText('- [x] done\n- [ ] open\n\na  \nb &amp; c &lt;d&gt; &#8364;\\*'),
    '- ☑ done\n- ☐ open\n\na\nb & c <d> €*',
  );
  assert.is(markdownText('1. a\n\n   b\n\n2. c'), '1. a\n\n   b\n\n2. c');
  assert.is(
    markdownText('![a chart](https://acme.example/c.png)\n<b>bold</b>'),
    'a chart (https://acme.example/c.png)\n<b>bold</b>',
  );
});

/** Matches the elements and attributes that rendered HTML may contain. Any other tag is a vulnerability. */
const ALLOWED =
  /<(?:\/?(?:h[2-6]|p|blockquote|ul|ol|li|pre|code|em|strong|del|table|thead|tbody|tr|th|td)|ol start="\d+"|[bh]r \/|a href="(?:https?:\/\/|mailto:)[^"<>\s]+" rel="nofollow noopener noreferrer"|\/a)>/g;

for (const [name, body] of Object.entries(HOSTILE)) {
  test(`harmful Markdown is rendered as text: ${name}`, () => {
    const html = markdownHtml(body);
    assert.not.match(html.replace(ALLOWED, ''), /[<>]/, html);
    assert.not.match(html, /href="https:\/\/bank|<a [^>]*><a|<a(?:(?!<\/a>).)*<a/s);
    for (const text of [html, markdownText(body)]) {
      assert.not.match(text, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\uffff]/);
      assert.not.match(text, /\p{Surrogate}/u);
    }
  });
}

test('harmful markup is shown as written', () => {
  assert.is(markdownHtml('a <b onclick="x">b</b>'), '<p>a &lt;b onclick="x"&gt;b&lt;/b&gt;</p>\n');
  assert.is(markdownHtml('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
  assert.is(markdownHtml('[press](javascript:alert(1))'), '<p>[press](javascript:alert(1))</p>\n');
  assert.is(markdownHtml('[press](/login)'), '<p>[press](/login)</p>\n');
});

test('images in Markdown are rendered as links, because loading an image would reveal the reader to its server', () => {
  const link = (text: string): string =>
    `<p><a href="https://acme.example/c.png" rel="nofollow noopener noreferrer">${text}</a></p>\n`;
  assert.is(markdownHtml('![a *chart*](https://acme.example/c.png)'), link('a chart'));
  assert.is(markdownHtml('![](https://acme.example/c.png)'), link('https://acme.example/c.png'));
  assert.is(markdownHtml('[![chart](https://acme.example/d.png)](https://acme.example/c.png)'), link('chart'));
});

test('headings in rendered Markdown skip no level', () => {
  const levels = (text: string, topHeading: 2 | 3 | 4): string[] =>
    [...markdownHtml(text, { topHeading }).matchAll(/<h(\d)>/g)].map(([, level]) => level ?? '');
  assert.equal(levels('### a\n##### b\n##### c\n# d\n## e\n#### f\n###### g', 3), ['3', '4', '4', '3', '4', '5', '6']);
  assert.equal(levels('# a\n## b\n### c\n#### d\n##### e\n###### f', 2), ['2', '3', '4', '5', '6', '6']);
});

test('rendered Markdown has only the given styles', () => {
  assert.is(markdownHtml('a', { styles: { p: 'margin:0;color:#fff' } }), '<p style="margin:0;color:#fff">a</p>\n');
});

test('bare URLs and e-mail addresses in Markdown are linked as on GitHub', () => {
  const text = (body: string): string => markdownHtml(body).replaceAll(' rel="nofollow noopener noreferrer"', '');
  const link = (href: string, shown = href): string => `<a href="${href}">${shown}</a>`;
  const dashboard = 'https://g.example/?from=now~1h&amp;to=now~2h';
  for (const [body, html] of [
    ['(https://a.example/p_(q)_r), b', `(${link('https://a.example/p_(q)_r')}), b`],
    ['https://g.example/?from=now~1h&to=now~2h', link(dashboard)],
    ['https://g.example/?from=now~1h&amp;to=now~2h', link(dashboard)],
    ['www.a.example.', `${link('http://www.a.example/', 'www.a.example')}.`],
    ['awww.a.example', 'awww.a.example'],
    ['a_b.c@d.example!', `${link('mailto:a_b.c@d.example', 'a_b.c@d.example')}!`],
    ['mailto:a@b.example', link('mailto:a@b.example')],
    ['a@b', 'a@b'],
    ['https://a:b@c.example/x', 'https://a:b@c.example/x'],
    ['[see www.a.example](https://b.example/)', link('https://b.example/', 'see www.a.example')],
    ['~one~ ~~two~~ ~~~three~~~', '<del>one</del> <del>two</del> ~~~three~~~'],
  ] as const) {
    assert.is(text(body), `<p>${html}</p>\n`);
  }
});

test('Markdown markup that is nested deeper than eight levels is shown as written', () => {
  assert.is(markdownText('> '.repeat(10) + 'a'), '> '.repeat(10) + 'a');
  assert.match(markdownHtml('> '.repeat(10) + 'a'), '<p>&gt; &gt; a</p>');
  assert.match(markdownHtml('*a '.repeat(10) + 'b*'.repeat(10)), /(?:<em>a ){8}\*a \*a b\*b\*b<\/em>/);
});

test('short rows of a Markdown table are filled with a limited number of empty cells', () => {
  const wide = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n`;
  assert.is(markdownHtml(wide + 'b\n'.repeat(1_000)).match(/<t[hd]>/g)?.length, 1_500);
  const long = `|a|b|\n|-|-|\n${'|1234|1234|\n'.repeat(1_000)}`;
  assert.is(markdownHtml(long).match(/<t[hd]>/g)?.length, 2_002);
});

test('the HTML of any Markdown text of 25,000 characters is at most 40 times as long as the text', () => {
  for (const [name, body] of Object.entries(PATHOLOGICAL)) {
    const [html, text] = [markdownHtml(body), markdownText(body)];
    assert.ok(html.length < 40 * body.length, `${name} becomes ${html.length} characters`);
    assert.ok(text.length < 40 * body.length, `${name} becomes ${text.length} characters`);
  }
});

test.run();
