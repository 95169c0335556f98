import { hash } from 'node:crypto';

/** `upr_` and 32 bytes in base64url. */
const TOKEN = /^upr_[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a runner token. */
export const isRunnerToken = (text: string): boolean => TOKEN.test(text);

/** What is stored of a token, and what it is found by: its SHA-256, hexadecimal. */
export const hashOfRunnerToken = (token: string): string => hash('sha256', token);
