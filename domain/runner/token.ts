import { hash } from 'node:crypto';

/** `upr_`, followed by 32 bytes in base64url. */
const TOKEN = /^upr_[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a runner token. */
export const isRunnerToken = (text: string): boolean => TOKEN.test(text);

/** Returns the stored form of a token, with which runners are looked up: its SHA-256, hexadecimal. */
export const hashOfRunnerToken = (token: string): string => hash('sha256', token);
