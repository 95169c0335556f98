import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CARD, CARD_LAYOUT, type Card } from '../../../messages/cards/card.ts';
import { fittedCard } from '../../../messages/cards/fit-card.ts';
import { openCardFont } from '../../../messages/cards/font.ts';

const test = suite('texts of preview cards');

const font = openCardFont();
const CARD_TEXTS: Card = {
  page: 'Shop',
  title: 'All systems operational',
  detail: '',
  foot: 'status.example',
  state: 'operational',
  rightToLeft: false,
};
const ROOM = CARD.width - 2 * CARD_LAYOUT.margin;

test('a long title is shown in a smaller font on a card, and truncated if it still does not fit', () => {
  const sizes = CARD_LAYOUT.title.sizes;
  assert.equal(fittedCard(CARD_TEXTS, font).title, { size: sizes[0], lines: ['All systems operational'] });
  const long = fittedCard(
    { ...CARD_TEXTS, title: 'Checkout fails for some cards of some banks in a few countries' },
    font,
  );
  assert.is(long.title.lines.length, 2);
  const longest = fittedCard({ ...CARD_TEXTS, title: 'word '.repeat(200) }, font);
  assert.is(longest.title.size, sizes.at(-1));
  assert.match(longest.title.lines.at(-1) ?? '', /…$/);
});

test('no text is wider than the card', () => {
  for (const text of [
    'W'.repeat(5_000),
    'ﷺ'.repeat(300),
    '🏳️‍🌈'.repeat(100),
    'a\u0301'.repeat(500),
    '服务'.repeat(100),
  ]) {
    const card = fittedCard({ ...CARD_TEXTS, page: text, title: text, detail: text, foot: text }, font);
    const widths = [
      font.widthOf(card.page, CARD_LAYOUT.page.size, 'bold'),
      ...card.title.lines.map((line) => font.widthOf(line, card.title.size, 'bold')),
      ...card.detail.map((line) => font.widthOf(line, CARD_LAYOUT.detail.size, 'regular')),
      font.widthOf(card.foot, CARD_LAYOUT.foot.size, 'regular'),
    ];
    assert.ok(Math.max(...widths) <= ROOM, text.slice(0, 10));
    assert.ok(card.title.lines.length <= 2 && card.detail.length <= 2);
  }
});

test('characters that the card font lacks are transliterated, and direction controls are removed', () => {
  const { page, title } = fittedCard({ ...CARD_TEXTS, page: 'Статус Ελλάδα', title: '服务 שלום \u202egpj' }, font);
  assert.is(page, 'Статус Ελλάδα');
  assert.match(title.lines.join(' '), /^[\x20-\x7e]+$/);
});

test.run();
