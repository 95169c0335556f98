import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { THEMED_FIELDS, usedColours } from '../../../console/screens/page/appearance/colours.ts';
import { PAGE_DEFAULTS } from '../../../domain/page/decide.ts';
import { THEME_COLORS } from '../../../views/themes/theme.ts';

const test = suite('the colours of a status page in the console');

test('the appearance form has all colours that a page can set', () => {
  assert.equal([...THEMED_FIELDS].sort(), [...THEME_COLORS].sort());
});

test('the appearance form shows the colour that the page will use, and its contrast', () => {
  const used = usedColours({ ...PAGE_DEFAULTS, css_link_color: '#ffee00', css_font_color: '#111' });
  const link = used('css_link_color');
  assert.is(link.set, '#ffee00');
  assert.is.not(link.used, '#ffee00');
  assert.ok(link.contrast >= 4.5);
  assert.is(used('css_font_color').used, '#111111');
  assert.is(used('css_border_color').set, null);
  // CSS rules and invalid values do not count as colours.
  const rules = usedColours({ ...PAGE_DEFAULTS, css_greens: '.card { color: red }', css_link_color: 'blue' });
  assert.is(rules('css_greens').set, null);
  assert.is(rules('css_greens').used, usedColours(PAGE_DEFAULTS)('css_greens').used);
  assert.is(rules('css_link_color').set, null);
});

test.run();
