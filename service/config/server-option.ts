import { OperatorError } from '../operator-error.ts';
import { certificatesIn } from './certificates.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this machine, so that plain http exposes nothing on the network. */
export const isLoopbackUrl = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/**
 * Parses the URL of a service.
 *
 * @param from the option or variable with the URL, for messages
 * @param schemes the beginnings that the message recommends
 * @throws OperatorError it is not a URL of http or https, or has a user, query or fragment
 */
export const parseServerUrl = (text: string, from: string, schemes = 'https://'): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new OperatorError(`${from} must be a URL that begins with ${schemes}, not "${text}".`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new OperatorError(`${from} must not have a user, query or fragment.`);
  return url;
};

/** Reads the certificates in the file of the option `--ca-file`. @throws OperatorError */
export const readCaFile = (file: string): readonly string[] => {
  try {
    return certificatesIn(file);
  } catch (error) {
    throw new OperatorError(`--ca-file ${(error as Error).message}`);
  }
};
