import type { Mask } from '../../engine/masking.ts';
import { createSecretsMask } from './secrets-mask.ts';

/** A text of a run as results show it: plain, with the values of its secrets masked, and then cut. */
export type Shown = (text: string, most: number) => string;

/** The texts of one run. */
export interface Texts {
  shown: Shown;
  /** there was more than is looked at, so some are left out */
  areCut: () => boolean;
}

/** Characters of all texts of a run that are looked at: no run has so many but to keep this process busy. */
const LOOKED_AT = 8_388_608;

/** @param secrets values that no result may hold */
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

/** Characters of a line that tell a secret of several lines. */
const TELLING_LINE = 8;

/**
 * What of a secret may be found in a text: it may have lost its control characters on the way, and one of several lines
 * (a key, say) may be shown line by line, as where it differs from what was expected.
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

/** Colours may stand within a secret, or be a part of one. */
const masked = (text: string, mask: Mask): string => {
  const plain = plainText(text);
  return plain === text ? mask(text) : mask(plainText(mask(text)));
};

/** Colours and other commands to a terminal (ECMA-48). */
const COMMANDS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** Control characters except tab and line feed, halves of characters, marks that turn the direction of what follows. */
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu;

/** A text without anything that is no text. */
export const plainText = (text: string): string =>
  text.replaceAll(COMMANDS, '').replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, '');

/** The beginning of a text that is longer, with an ellipsis; no character is cut in halves. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = most - 1;
  const code = text.charCodeAt(end - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`;
};
