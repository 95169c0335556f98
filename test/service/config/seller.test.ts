import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sellerIn } from '../../../service/config/seller.ts';
import { SELLER } from '../../payments.ts';
import { inTemporaryFolder } from '../temporary.ts';

const test = suite('the file of the invoice issuer');

test(
  'an error about the file of the invoice issuer names the file and the field',
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'seller.json');
    const read = (content: unknown) => {
      writeFileSync(file, JSON.stringify(content));
      return sellerIn(file);
    };
    assert.equal(read(SELLER), SELLER);
    const { name } = SELLER;
    assert.equal(read({ name }), { name, address: null, tax_id: null, email: null, payment_details: null, note: null });
    const refusals: [unknown, string][] = [
      [[], 'as a whole: Must be an object.'],
      [{ name: 5 }, 'name: Must be a string.'],
      [{ name: ' ' }, 'name: Must not be blank.'],
      [{ name, iban: 'DE02' }, 'the field "iban" does not exist.'],
    ];
    for (const [content, sentence] of refusals) {
      const isTold = (error: Error): boolean => error.message === `"${file}" is invalid: ${sentence}`;
      assert.throws(() => read(content), isTold, sentence);
    }
  }),
);

test.run();
