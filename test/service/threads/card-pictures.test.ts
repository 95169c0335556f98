import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Card } from '../../../messages/cards/card.ts';
import { createCardDrawing } from '../../../service/threads/card-drawing.ts';
import { createCardPictures } from '../../../service/threads/card-pictures.ts';
import { rejects } from '../../rejects.ts';
import { eventually } from '../../waiting.ts';

const test = suite('pictures of cards');

const card = (title: string): Card => ({
  ...{ page: 'Shop', title, detail: '', foot: 'status.example', state: 'partial_outage', rightToLeft: false },
});

/** Returns a function that "draws" a card by returning its title. */
const drawing = () => {
  const drawn: string[] = [];
  return {
    drawn,
    draw: async ({ title }: Card): Promise<Uint8Array> => {
      drawn.push(title);
      await Promise.resolve();
      if (title.startsWith('fails')) throw new Error('It could not be drawn.');
      return Buffer.from(title);
    },
  };
};
const textOf = ({ png }: { png: Uint8Array }): string => Buffer.from(png).toString();
const PAGE = { pageId: 'page00000001', name: 'page en' };

test('concurrent requests for a card share one drawing', async () => {
  const { drawn, draw } = drawing();
  const picture = createCardPictures({ draw });
  const all = await Promise.all([1, 2, 3].map(() => picture(PAGE, card('one'))));
  all.push(await picture({ ...PAGE, name: 'other' }, card('one')));
  assert.equal(all.map(textOf), ['one', 'one', 'one', 'one']);
  assert.equal(drawn, ['one']);
});

test('a page that exceeds its number of drawn cards per minute gets the newest picture that was drawn, and other pages are not affected', async () => {
  let now = 0;
  const { drawn, draw } = drawing();
  const picture = createCardPictures({ draw, clock: () => now });
  for (let number = 0; number < 30; number++) await picture(PAGE, card(number.toString()));
  assert.is(drawn.length, 20);
  const late = await picture(PAGE, card('late'));
  assert.equal([textOf(late), late.isCurrent], ['19', false]);
  const unknown = await picture({ ...PAGE, name: 'incident' }, card('late'));
  assert.is(textOf(unknown).slice(1, 4), 'PNG', 'there is no earlier one');
  assert.is(textOf(await picture({ ...PAGE, pageId: 'page00000002' }, card('theirs'))), 'theirs');
  now += 60_000;
  assert.is(textOf(await picture(PAGE, card('late'))), 'late');
});

test('the number of cards that wait for the drawing thread is limited', async () => {
  const waiting: ((png: Uint8Array) => void)[] = [];
  const picture = createCardPictures({ draw: () => new Promise((resolve) => waiting.push(resolve)) });
  const requests = Array.from({ length: 40 }, (_, index) =>
    picture({ pageId: `page${index}`, name: 'page' }, card(index.toString())),
  );
  assert.is(waiting.length, 20);
  for (const resolve of waiting) resolve(Buffer.from('drawn'));
  const pictures = await Promise.all(requests);
  assert.is(pictures.filter(({ isCurrent }) => isCurrent).length, 20);
});

test('a substitute picture is sent if a card cannot be drawn', async () => {
  const { draw } = drawing();
  const troubles: unknown[] = [];
  const picture = createCardPictures({ draw, trouble: (error) => troubles.push(error) });
  await picture(PAGE, card('good'));
  const failed = await picture(PAGE, card('fails'));
  assert.equal([textOf(failed), failed.isCurrent, troubles.length], ['good', false, 1]);
});

test('the thread that draws cards starts for the first card, ends when idle, and starts again', async () => {
  const { draw, isRunning } = createCardDrawing({ idleMs: 50 });
  assert.not(isRunning());
  const png = await draw(card('one'));
  assert.is(Buffer.from(png).toString('latin1', 1, 4), 'PNG');
  await eventually(() => !isRunning());
  assert.ok((await draw(card('two'))).length > 1_000);
});

test('a card that takes too long ends the thread, which starts again for the next card', async () => {
  const slow = createCardDrawing({ longestMs: 0 });
  await rejects(slow.draw(card('one')), Error, /too long/);
  assert.not(slow.isRunning());
});

test.run();
