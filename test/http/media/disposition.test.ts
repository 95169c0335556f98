import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contentDisposition } from '../../../http/media/disposition.ts';

const test = suite('Content-Disposition');

test('Content-Disposition contains the file name in UTF-8, and in ASCII for old clients', () => {
  for (const [name, header] of [
    ['screenshot 1.png', 'attachment; filename="screenshot 1.png"'],
    ['a"b\\c.png', `attachment; filename="a_b_c.png"; filename*=UTF-8''a%22b%5Cc.png`],
    ['żółć.png', `attachment; filename="____.png"; filename*=UTF-8''%C5%BC%C3%B3%C5%82%C4%87.png`],
    ['😀.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
    ["100% (it's*).png", `attachment; filename="100_ (it's*).png"; filename*=UTF-8''100%25%20%28it%27s%2A%29.png`],
    ['a\r\nX: b', `attachment; filename="a__X: b"; filename*=UTF-8''a__X%3A%20b`],
    ['half \ud800', `attachment; filename="half _"; filename*=UTF-8''half%20_`],
  ] as const) {
    assert.is(contentDisposition('attachment', name), header);
  }
  assert.is(contentDisposition('inline', 'a.png'), 'inline; filename="a.png"');
});

test.run();
