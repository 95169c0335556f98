import { canonicalJson } from '../canonical-json.ts';
import { derivedId } from '../identity.ts';
import type { RunDefinition } from './run.ts';

/**
 * Length of a key in characters. Every result contains a key, so keys are short, but they still distinguish the
 * definitions of one check.
 */
const LENGTH = 8;

/**
 * Returns a hash of what a check monitors, as 8 letters and digits. Results with the same key are comparable
 * (docs/reference/alert-rules.md#judged-runs). The timeout, the name and the interval are not hashed. Sealed texts are
 * hashed in their stored form, so sealing a text again changes the key.
 */
export const definitionKey = ({
  type,
  url,
  host,
  port,
  parameters,
}: Pick<RunDefinition, 'type' | 'url' | 'host' | 'port' | 'parameters'>): string =>
  derivedId(`definition/${canonicalJson({ type, url, host, port, parameters })}`).slice(0, LENGTH);
