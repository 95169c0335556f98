// Own process: this file replaces methods of String.prototype to count their calls.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HARDEST, RICH } from './markdown-samples.ts';
import { MESSAGE_FORMATS, type TextOf } from './message-formats.ts';
import { countCharacterReads } from './character-reads.ts';

const test = suite('texts that are as hard as possible to render');

const repeated =
  (piece: string): TextOf =>
  (most) =>
    piece.repeat(Math.ceil(most / piece.length)).slice(0, most);

/**
 * Tolerance in character reads: a text may exceed the limit of ten times the ordinary work by this number. Long names
 * and short texts need the tolerance.
 */
const FEW = 100_000;

for (const [name, form] of Object.entries(MESSAGE_FORMATS)) {
  test(`rendering hostile texts takes at most ten times the work of ordinary texts of the same length: ${name}`, async () => {
    const ordinary = await countCharacterReads(() => form(repeated(`${RICH}\n\n`)));
    for (const piece of HARDEST) {
      const hostile = await countCharacterReads(() => form(repeated(piece)));
      assert.ok(hostile <= 10 * ordinary + FEW, `${JSON.stringify(piece)} takes ${hostile}, ordinary text ${ordinary}`);
    }
  });
}

test.run();
