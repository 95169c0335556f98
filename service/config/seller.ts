import { Type, type Static } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import type { Seller } from '../../domain/payment/seller.ts';
import { firstProblem, jsonIn } from './json-file.ts';

const text = (maxLength: number) => Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }));

const SellerInFile = Type.Object(
  {
    name: Type.String({ pattern: '\\S', sentence: 'Must not be blank.', maxLength: 200 }),
    address: text(1_000),
    tax_id: text(100),
    email: text(320),
    payment_details: text(2_000),
    note: text(2_000),
  },
  { additionalProperties: false },
);

/**
 * Reads the issuer of invoices from a file.
 *
 * @throws Error names the file and, if known, the field. The message continues a sentence that begins with the name of
 * the variable
 */
export const sellerIn = (file: string): Seller => {
  const wrong = (sentence: string): Error => new Error(`"${file}" is invalid: ${sentence}`);
  const content = jsonIn(file, wrong);
  const isSeller = new Ajv({ allErrors: true, strict: false, verbose: true }).compile<Static<typeof SellerInFile>>(
    SellerInFile,
  );
  if (!isSeller(content)) {
    const { field, isUnknown, sentence } = firstProblem(isSeller.errors ?? []);
    throw wrong(isUnknown ? `the field "${field}" does not exist.` : `${field}: ${sentence}`);
  }
  const { name, address = null, tax_id = null, email = null, payment_details = null, note = null } = content;
  return { name, address, tax_id, email, payment_details, note };
};
