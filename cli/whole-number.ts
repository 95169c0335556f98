import { InvalidArgumentError } from 'commander';

/** Parses a whole number given as an option. */
export const wholeNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
};
