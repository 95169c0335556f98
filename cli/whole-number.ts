import { InvalidArgumentError } from 'commander';

/** An option that is a whole number. */
export const wholeNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number from 1 on.');
};
