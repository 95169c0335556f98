import { isHarmless } from '../../../domain/check/harmless-headers.ts';
import { MASK } from '../../../domain/check/mask.ts';
import type { May } from '../../permissions.ts';

type Metadata = Record<string, unknown>;

/**
 * What a run found out, as a caller may see it: who may not have secrets revealed sees nothing of a body, and of
 * the headers of an answer the values of the harmless ones.
 */
export const shownMetadata = (metadata: Metadata, may: May): Metadata => {
  if (may('secrets.reveal')) return metadata;
  const { headers, body_excerpt } = metadata;
  return {
    ...metadata,
    ...(typeof headers === 'object' && headers !== null && { headers: harmlessOnly(headers) }),
    ...(typeof body_excerpt === 'string' && { body_excerpt: MASK }),
  };
};

const harmlessOnly = (headers: object): Metadata =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => [name, isHarmless(name) ? value : MASK]),
  );
