import type { Chosen } from '../wire/hello.ts';
import { safe, vulnerable, type Finding } from './finding.ts';

const NO_COMPRESSION = 0;

/**
 * CRIME (CVE-2012-4929): compressed connections tell by their length what they have in common with what an attacker
 * lets the client send.
 *
 * @param chosen by a server to which compression was offered
 */
export const crime = ({ compression }: Pick<Chosen, 'compression'>): Finding =>
  compression === NO_COMPRESSION
    ? safe('The server does not compress, although compression was offered.')
    : vulnerable(
        'The server uses TLS compression, so an attacker can work out cookies from the length of requests. Turn off ' +
          'TLS compression.',
      );
