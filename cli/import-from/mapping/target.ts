import { parseHostAndPort } from '../../../domain/check/host.ts';

const VARIABLE = /\$\{env:[A-Za-z0-9_]*\}/g;

/**
 * Parses `host`, `host:port` or `[address]:port`. The host may contain variables (`${env:NAME}`), the port may not.
 *
 * @returns null if the text is neither
 */
export const targetIn = (text: string): { host: string; port: number | null } | null => {
  const variables: string[] = [];
  const plain = text.replace(VARIABLE, (variable) => `uptrail-variable-${variables.push(variable) - 1}-`);
  const found = parseHostAndPort(plain);
  if (!found) return null;
  const host = found.host.replace(/uptrail-variable-(\d+)-/g, (_, index: string) => variables[Number(index)] ?? '');
  return { host, port: found.port };
};

/** A URL without credentials, and the credentials that it contained. */
export interface SplitUrl {
  url: string;
  username?: string;
  password?: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Removes user name and password from a URL. */
export const splitUrl = (text: string): SplitUrl => {
  const [, scheme, user, password = '', rest] = /^(https?:\/\/)([^/?#@:]*)(?::([^/?#]*))?@(.*)$/is.exec(text) ?? [];
  if (scheme === undefined || user === undefined || rest === undefined) return { url: text };
  return { url: `${scheme}${rest}`, username: decoded(user), password: decoded(password) };
};

/** Returns the host of a URL without brackets; null if the URL is invalid. */
export const hostOfUrl = (url: string): string | null => {
  const [, authority] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  return authority === undefined ? null : (targetIn(authority.replace(/^.*@/, ''))?.host ?? null);
};
