import type { Mask } from '../../engine/masking.ts';
import { createSecretsMask } from './secrets-mask.ts';

/**
 * Prepares a text of a run for results: removes control characters, masks the values of the check's secrets, then
 * shortens the text to `most` characters.
 */
export type ShowText = (text: string, most: number) => string;

/** Prepares the texts of one run. */
export interface Texts {
  shown: ShowText;
  /** Returns whether the texts exceeded the total limit, so that some were omitted. */
  areCut: () => boolean;
}

/** Maximum number of characters in all texts of a run. Only a malicious script would produce more. */
const LOOKED_AT = 8_388_608;

/** @param secrets values that no result may contain */
export const createTexts = (secrets: readonly string[]): Texts => {
  const mask = createSecretsMask(secrets.flatMap(saidAs));
  let room = LOOKED_AT;
  return {
    shown: (text, most) => {
      room -= text.length;
      return room < 0 ? '…' : cut(masked(text, mask), most);
    },
    areCut: () => room < 0,
  };
};

/** A line of a secret with several lines is masked on its own if it has at least this many characters. */
const TELLING_LINE = 8;

/**
 * Returns the forms of a secret in the texts of a run. A secret may have lost its control characters, and a secret of
 * several lines (such as a key) may appear line by line, for example in a diff.
 */
const saidAs = (secret: string): string[] => {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return [
    secret,
    plainText(secret),
    secret.replaceAll(/[^\P{Cc}\n\t]/gu, ''),
    ...(lines.length > 1 ? lines.filter(({ length }) => length >= TELLING_LINE) : []),
  ];
};

/**
 * Masks a text with and without its terminal codes for colours: a program can print codes between the characters of a
 * secret, and a secret can itself contain such codes.
 */
const masked = (text: string, mask: Mask): string => {
  const plain = plainText(text);
  return plain === text ? mask(text) : mask(plainText(mask(text)));
};

/** Matches colours and other terminal control sequences (ECMA-48). */
const COMMANDS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** Matches control characters except tab and line feed, lone surrogates, and direction marks. */
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu;

/** Removes everything from a text that is not printable. */
export const plainText = (text: string): string =>
  text.replaceAll(COMMANDS, '').replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, '');

/** Shortens a long text and ends it with an ellipsis. Does not split a surrogate pair. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = most - 1;
  const code = text.charCodeAt(end - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`;
};
