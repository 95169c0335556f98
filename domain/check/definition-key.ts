import { canonicalJson } from '../canonical-json.ts';
import { derivedId } from '../identity.ts';
import type { RunDefinition } from './run.ts';

/** Enough to tell the definitions of one check apart; every result carries it. */
const LENGTH = 8;

/**
 * What a check watches and how, as 8 letters and digits: results with the same key say something about the same thing
 * (decisions.md: Alerts). The time limit is no part of it, nor is the name or the interval; sealed texts count as they
 * are stored, so one that was sealed again is another definition.
 */
export const definitionKey = ({
  type,
  url,
  host,
  port,
  parameters,
}: Pick<RunDefinition, 'type' | 'url' | 'host' | 'port' | 'parameters'>): string =>
  derivedId(`definition/${canonicalJson({ type, url, host, port, parameters })}`).slice(0, LENGTH);
