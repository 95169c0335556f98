import { canonicalJson } from '../canonical-json.ts';
import { derivedId } from '../identity.ts';
import type { RunDefinition } from './run.ts';

/** Short, since every result contains it, and long enough to distinguish the definitions of one check. */
const LENGTH = 8;

/**
 * A hash of what a check monitors, as 8 letters and digits: results with the same key are comparable
 * (docs/reference/alert-rules.md#judged-runs). It does not include the timeout, name and interval. Sealed texts are hashed in their stored
 * form, so a text that was sealed again gives another key.
 */
export const definitionKey = ({
  type,
  url,
  host,
  port,
  parameters,
}: Pick<RunDefinition, 'type' | 'url' | 'host' | 'port' | 'parameters'>): string =>
  derivedId(`definition/${canonicalJson({ type, url, host, port, parameters })}`).slice(0, LENGTH);
