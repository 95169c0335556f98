import { InvalidArgumentError } from 'commander';

/** Parses the value of an option that must be a whole number of at least 1. @throws InvalidArgumentError */
export const wholeNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
};
