import { parse, walk } from 'css-tree';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast, type Colour } from '../../../messages/colours.ts';
import { COLOURED_STATES } from '../../../views/themes/base-colours.ts';
import {
  isPlain,
  readTheme,
  THEME_COLORS,
  themeOf,
  themeText,
  type Theme,
  type ThemedPage,
} from '../../../views/themes/theme.ts';
import { themeAddress, themeStylesheet } from '../../../site/themes/theme-stylesheet.ts';
import { tokensOf, type Tokens } from '../../../views/themes/tokens.ts';
import { PROJECT } from '../../project.ts';

const test = suite('the theme of a status page');

const NOTHING = Object.fromEntries(THEME_COLORS.map((name) => [name, null])) as ThemedPage;
const themeWith = (colours: Partial<ThemedPage>): Theme => themeOf({ ...NOTHING, ...colours });
const colour = (tokens: Tokens, name: string): Colour => tokens[`--${name}`] ?? '#';

const SOME = [
  '#ffffff',
  '#000000',
  '#777777',
  '#757575',
  '#7b7b7b',
  '#808080',
  '#ffff00',
  '#ff0000',
  '#0000ff',
  '#fff8e7',
];

test('texts, states and controls contrast with their background for any colours of a page', () => {
  for (const background of SOME) {
    for (const other of SOME) {
      const all = Object.fromEntries(THEME_COLORS.map((name) => [name, other]));
      const theme = themeWith({ ...all, css_body_background_color: background });
      for (const scheme of ['light', 'dark'] as const) {
        const tokens = tokensOf(theme, scheme);
        const colourOf = (name: string): Colour => colour(tokens, name);
        const atLeast = (ratio: number, name: string, ...behind: string[]): void => {
          for (const one of behind) {
            const found = contrast(colourOf(name), colourOf(one));
            assert.ok(found >= ratio, `${name} on ${one}: ${found.toFixed(2)}, ${other} on ${background}, ${scheme}`);
          }
        };
        atLeast(4.5, 'text', 'bg', 'subtle', ...COLOURED_STATES.map((state) => `${state}-tint`));
        atLeast(4.5, 'muted', 'bg', 'subtle');
        atLeast(4.5, 'accent', 'bg', 'subtle');
        atLeast(4.5, 'on-accent', 'accent');
        atLeast(4.5, 'button-text', 'button');
        atLeast(4.5, 'button-hover-text', 'button-hover');
        for (const name of ['control', 'graph', 'connection']) atLeast(3, name, 'bg', 'subtle');
        assert.ok(
          Math.max(contrast(colourOf('button'), colourOf('bg')), contrast(colourOf('button-edge'), colourOf('bg'))) >=
            3,
        );
        for (const state of COLOURED_STATES) {
          atLeast(3, `${state}-fill`, 'bg', 'subtle', `${state}-tint`);
          atLeast(4.5, `${state}-text`, 'bg', 'subtle', `${state}-tint`);
        }
      }
    }
  }
});

test('a theme is based on the design tokens', () => {
  const sheet = parse(readFileSync(join(PROJECT, 'site/styles/_tokens.css'), 'utf8'), { parseCustomProperty: true });
  const written: Record<string, string>[] = [];
  walk(sheet, (node) => {
    if (node.type !== 'Rule') return;
    const values: Record<string, string> = {};
    walk(node, (one) => {
      if (one.type === 'Declaration' && one.value.type === 'Value' && one.value.children.first?.type === 'Hash')
        values[one.property] = `#${one.value.children.first.value}`;
    });
    written.push(values);
  });
  const [light = {}, dark = {}, , chosen = {}] = written;
  assert.ok(Object.keys(light).length > 20);
  assert.equal(chosen, dark);
  for (const [scheme, values] of [
    ['light', light],
    ['dark', { ...light, ...dark }],
  ] as const) {
    const tokens = tokensOf(themeWith({}), scheme);
    for (const [name, value] of Object.entries(values)) assert.is(tokens[name as `--${string}`], value, name);
  }
});

test('the colours of a page are used in light mode, and in dark mode only those of buttons and states', () => {
  const theme = themeWith({
    css_body_background_color: '#FFF8E7',
    css_font_color: '#403000',
    css_link_color: '#804000',
    css_border_color: '#e0d0b0',
    css_button_color: '#a04000',
    css_graph_color: '#905010',
    css_greens: ' #0A7A3A ',
  });
  const [light, dark] = [tokensOf(theme, 'light'), tokensOf(theme, 'dark')];
  const shown = (tokens: Tokens) =>
    ['bg', 'text', 'accent', 'line', 'button', 'graph', 'operational-fill'].map((name) => colour(tokens, name));
  assert.equal(shown(light), ['#fff8e7', '#403000', '#804000', '#e0d0b0', '#a04000', '#905010', '#0a7a3a']);
  const [bg, text, accent, line, button, , fill = '#'] = shown(dark);
  assert.equal([bg, text, accent, line, button], ['#0f1216', '#e8ebef', '#7ea6ff', '#2a313b', '#a04000']);
  assert.is.not(fill, '#2fb574');
});

test('a dark page is dark in every mode', () => {
  const { css } = themeStylesheet(themeWith({ css_body_background_color: '#101820' }));
  assert.match(css, /^@media screen\{:root:root:root\{color-scheme:dark;--bg:#101820;/);
  assert.not.match(css, /prefers-color-scheme|data-theme/);
});

test('each group of colours belongs to a state, and a field with CSS rules gives no colour', () => {
  const theme = themeWith({
    css_blues: '#123456',
    css_reds: '#fff',
    css_oranges: '.card { color: #123456 }',
    css_yellows: 'red',
  });
  assert.equal(
    [theme.css_blues, theme.css_reds, theme.css_oranges, theme.css_yellows],
    ['#123456', '#ffffff', null, null],
  );
  assert.is(colour(tokensOf(theme, 'light'), 'maintenance-fill'), '#123456');
});

test('the URL of a theme contains only its colours', () => {
  const theme = themeWith({ css_body_background_color: '#ABC', css_reds: '#1d5fc4' });
  assert.equal(readTheme(themeText(theme)), theme);
  const text = '-'.repeat(THEME_COLORS.length - 1);
  assert.ok(isPlain(readTheme(text) as Theme));
  for (const wrong of ['', `${text}-`, `red${text}`, `}body{x${text}`, `AABBCC${text}`, `${text}\n`])
    assert.is(readTheme(wrong), null);
});

test('a page without colours has no theme, and the URL of custom rules changes with their content', () => {
  assert.is(themeAddress(NOTHING), null);
  assert.is(themeAddress({ ...NOTHING, css_font_color: 'url(x)', css_reds: 'a{color:red}' }), null);
  const [one, other] = ['#112233', '#112234'].map((css_font_color) => themeAddress({ ...NOTHING, css_font_color }));
  assert.match(String(one), /^theme\.css\?colors=[0-9a-f-]+&v=[\w-]{12}$/);
  assert.is.not(one, other);
});

test.run();
