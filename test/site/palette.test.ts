import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast } from '../../messages/colours.ts';
import { colorsText, NO_COLORS, paletteOf, readColors } from '../../site/styles/palette.ts';
import { stylesheet } from '../../site/styles/stylesheet.ts';

const test = suite('the colours of pages for subscribers');

const withColours = (colors: Partial<typeof NO_COLORS>) => ({ ...NO_COLORS, ...colors });

test('texts are readable and buttons visible with any colours of a page', () => {
  const some = ['#ffffff', '#fff', '#000000', '#777777', '#FFFF00', '#ff0000', '#0000ff', '#1d5fc4'];
  for (const background of some) {
    for (const other of some) {
      const colors = withColours({
        css_body_background_color: background,
        css_font_color: other,
        css_light_font_color: other,
        css_button_color: other,
        css_button_text_color: background,
      });
      for (const scheme of ['light', 'dark'] as const) {
        const palette = paletteOf(colors, scheme);
        const combination = `${background} and ${other}, ${scheme}`;
        assert.ok(contrast(palette.text, palette.background) >= 4.5, combination);
        assert.ok(contrast(palette.muted, palette.background) >= 4.5, combination);
        assert.ok(contrast(palette.buttonText, palette.button) >= 4.5, combination);
        assert.ok(contrast(palette.buttonEdge, palette.background) >= 3, combination);
      }
    }
  }
});

test('the colours of a page are used in light mode, and in dark mode only those of its button', () => {
  const colors = withColours({
    css_body_background_color: '#FFF8E7',
    css_font_color: '#403000',
    css_button_color: '#a04000',
  });
  const [light, dark] = [paletteOf(colors, 'light'), paletteOf(colors, 'dark')];
  assert.equal([light.background, light.text, light.button], ['#fff8e7', '#403000', '#a04000']);
  assert.equal([dark.background, dark.button], ['#14171c', '#a04000']);
});

test('the colours of a dark page are used in both modes', () => {
  const colors = withColours({ css_body_background_color: '#101820' });
  assert.equal(paletteOf(colors, 'light'), paletteOf(colors, 'dark'));
});

test('the URL of the stylesheet contains only the colours of the page', () => {
  const colors = withColours({ css_body_background_color: '#ABC', css_button_color: '#1d5fc4' });
  assert.is(colorsText(colors), 'aabbcc----1d5fc4-');
  assert.equal(
    readColors(colorsText(colors)),
    withColours({ css_body_background_color: '#aabbcc', css_button_color: '#1d5fc4' }),
  );
  for (const wrong of ['', '-', 'red-----', 'aabbcc------', '}body{x-----', 'AABBCC-----'])
    assert.is(readColors(wrong), null);
  assert.match(stylesheet(colors), '--background:#aabbcc;');
});

test.run();
