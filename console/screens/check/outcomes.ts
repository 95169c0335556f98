import type { Schemas } from '../../api/openapi.d.ts';

/** The result of a job in one region. */
export interface RegionalOutcome {
  result_id: string | null;
  region: string;
  status: 'ok' | 'failed' | 'timeout';
  response_time: number | null;
  error_message: string | null;
}

export const outcomesOf = ({ result }: Pick<Schemas['Job'], 'result'>): readonly RegionalOutcome[] =>
  result === null ? [] : 'regional_summary' in result ? result.regional_summary : [result];
