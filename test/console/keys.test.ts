import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPaletteKey, keyOf, singleKeyOf, type KeyPress } from '../../console/keys/key.ts';
import { createSequence, SEQUENCE_MS } from '../../console/keys/sequence.ts';

const test = suite('keyboard shortcuts of the console');

const stroke = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  repeat: false,
  ...more,
});

test('a key is named after the character that it types, which is in upper case only if Shift is pressed', () => {
  assert.is(keyOf(stroke('j')), 'j');
  assert.is(keyOf(stroke('X', { shiftKey: true })), 'X');
  assert.is(keyOf(stroke('J')), 'j', 'Caps Lock');
  assert.is(keyOf(stroke('x', { shiftKey: true })), 'X', 'Caps Lock and Shift');
  assert.is(keyOf(stroke('?', { shiftKey: true })), '?');
  assert.is(keyOf(stroke('Enter')), 'Enter');
  // On a Dvorak keyboard, the key at the position of C types j.
  assert.is(keyOf(stroke('j', { code: 'KeyC' })), 'j');
});

test('keys are identified by their position on keyboard layouts without Latin letters', () => {
  assert.is(keyOf(stroke('о', { code: 'KeyJ' })), 'j');
  assert.is(keyOf(stroke('Ч', { code: 'KeyX', shiftKey: true })), 'X');
  assert.is(keyOf(stroke('λ', { code: 'KeyL' })), 'l');
  assert.is(keyOf(stroke('ю', { code: 'Period' })), 'ю');
});

test('a key with Ctrl, Alt or ⌘, or one that composes text, is not a shortcut', () => {
  assert.is(singleKeyOf(stroke('p')), 'p');
  assert.is(singleKeyOf(stroke('p', { ctrlKey: true })), null);
  assert.is(singleKeyOf(stroke('p', { metaKey: true })), null);
  assert.is(singleKeyOf(stroke('p', { altKey: true })), null);
  assert.is(singleKeyOf(stroke('p', { isComposing: true })), null);
  assert.is(singleKeyOf(stroke('Process')), null);
  assert.is(singleKeyOf(stroke('Dead')), null);
});

test('holding down the key of a shortcut repeats the shortcut only if it moves the cursor', () => {
  assert.is(singleKeyOf(stroke('j', { repeat: true })), 'j');
  assert.is(singleKeyOf(stroke('k', { repeat: true })), 'k');
  assert.is(singleKeyOf(stroke('p', { repeat: true })), null);
});

test('Ctrl K opens the palette, or ⌘ K on a Mac', () => {
  assert.ok(isPaletteKey(stroke('k', { ctrlKey: true }), false));
  assert.ok(isPaletteKey(stroke('л', { code: 'KeyK', ctrlKey: true }), false));
  assert.not(isPaletteKey(stroke('k', { metaKey: true }), false));
  assert.ok(isPaletteKey(stroke('k', { metaKey: true }), true));
  assert.not(isPaletteKey(stroke('k', { ctrlKey: true }), true));
  assert.not(isPaletteKey(stroke('K', { ctrlKey: true, shiftKey: true }), false));
  assert.not(isPaletteKey(stroke('k', { ctrlKey: true, altKey: true }), false));
  assert.not(isPaletteKey(stroke('k'), false));
});

test('two keys form a sequence only if the second key follows within a time limit', () => {
  let now = 1_000;
  const sequence = createSequence(() => now);
  assert.not(sequence.isSecondKey());
  sequence.begin();
  now += SEQUENCE_MS;
  assert.ok(sequence.isSecondKey());
  assert.not(sequence.isSecondKey());
  sequence.begin();
  now += SEQUENCE_MS + 1;
  assert.not(sequence.isSecondKey());
});

test.run();
