import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast, mixed, readable, readColour } from '../../messages/colours.ts';
import { darkPalette, lightPalette, type PageColours } from '../../messages/mail/palette.ts';
import { plainPage } from './notices.ts';

const test = suite('colours of e-mails');

test('colours are parsed only in the formats #rgb and #rrggbb', () => {
  assert.is(readColour('#AbCdEf'), '#abcdef');
  assert.is(readColour('#fC0'), '#ffcc00');
  for (const text of [null, '', 'red', '#ffff', '#fffffff', '#ggg', '#fff;', 'url(x)', '#fff\n']) {
    assert.is(readColour(text), null, String(text));
  }
});

test('contrast ratios are computed as in WCAG 2.2', () => {
  assert.is(contrast('#000000', '#ffffff'), 21);
  assert.is(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.is(mixed('#000000', '#ffffff', 0.5), '#808080');
  assert.is(readable('#111111', '#ffffff'), '#111111');
  assert.ok(contrast(readable('#ffff00', '#ffffff'), '#ffffff') >= 4.5);
});

const SAMPLES = [
  '#000000',
  '#ffffff',
  '#ffff00',
  '#0000ff',
  '#808080',
  '#7f7f7f',
  '#ff0000',
  '#00ff00',
  '#123456',
  null,
];
const NAMES = [
  'css_body_background_color',
  'css_font_color',
  'css_link_color',
  'css_button_color',
  'css_button_text_color',
  'css_border_color',
  'css_light_font_color',
] as const;

test('texts in e-mails are readable with any colours of a page, in light and dark mode', () => {
  for (const background of SAMPLES) {
    for (const other of SAMPLES) {
      const own: PageColours = { ...plainPage, ...Object.fromEntries(NAMES.map((name) => [name, other])) };
      own.css_body_background_color = background;
      for (const palette of [lightPalette(own), darkPalette(own)]) {
        const { canvas, card, text, muted, link, onCanvas, button, buttonText, tones } = palette;
        for (const [front, back] of [
          [text, card],
          [muted, card],
          [link, card],
          [onCanvas, canvas],
          [buttonText, button],
          ...Object.values(tones).map((tone) => [tone.text, tone.background] as const),
        ] as const) {
          assert.ok(contrast(front, back) >= 4.5, `${front} on ${back} of ${String(background)} with ${String(other)}`);
        }
        assert.ok(contrast(button, card) >= 1.5, `a button ${button} on ${card}`);
      }
    }
  }
});

test('e-mails use the colours of the page if they are readable', () => {
  const page = {
    ...plainPage,
    css_body_background_color: '#eef',
    css_font_color: '#134e4a',
    css_button_color: '#0f766e',
  };
  const { canvas, card, text, button } = lightPalette(page);
  assert.equal([canvas, card, text, button], ['#eeeeff', '#ffffff', '#134e4a', '#0f766e']);
  assert.is(darkPalette(page).button, '#0f766e');
  const night = { ...plainPage, css_body_background_color: '#0b1020' };
  assert.equal(darkPalette(night), lightPalette(night));
});

test.run();
