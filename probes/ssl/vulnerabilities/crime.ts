import type { ServerChoice } from '../wire/hello.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

const NO_COMPRESSION = 0;

/**
 * CRIME (CVE-2012-4929): the length of compressed data reveals what it has in common with data that an attacker makes
 * the client send.
 *
 * @param chosen by a server that was offered compression
 */
export const crime = ({ compression }: Pick<ServerChoice, 'compression'>): VulnerabilityFinding =>
  compression === NO_COMPRESSION
    ? safe('The server does not compress, although compression was offered.')
    : vulnerable(
        'The server uses TLS compression, so an attacker can work out cookies from the length of requests. Turn off ' +
          'TLS compression.',
      );
