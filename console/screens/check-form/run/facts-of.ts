import { isObject, valueAt } from '../paths.ts';

/** A detail of a result. `name` is the key of its label. */
export type ResultFact =
  | { name: 'statusCode' | 'finalUrl' | 'packetLoss' | 'score'; text: string }
  | { name: 'answers' | 'openPorts'; list: readonly string[] }
  | { name: 'certificate'; days: number };

const text = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

const MOST_LISTED = 20;

const openPorts = (metadata: unknown): string[] | null => {
  const scans = valueAt(metadata, 'scan_results');
  if (!Array.isArray(scans)) return null;
  return scans.flatMap((scan) => {
    const ports = valueAt(scan, 'open_ports');
    return Array.isArray(ports)
      ? ports.map((port) => [text(valueAt(port, 'port')), text(valueAt(port, 'service'))].filter(Boolean).join(' '))
      : [];
  });
};

/**
 * Returns the number of days until the certificate in an ssl result expires, rounded down, or null if there is no
 * certificate.
 */
const certificateDays = (metadata: unknown, now: number): number | null => {
  const left = valueAt(metadata, 'tls.days_left');
  if (typeof left === 'number') return left;
  const end = valueAt(metadata, 'checks.certificate_info.not_after');
  const at = typeof end === 'string' ? Date.parse(/Z|[+-]\d\d:?\d\d$/.test(end) ? end : `${end}Z`) : Number.NaN;
  return Number.isNaN(at) ? null : Math.floor((at - now) / 86_400_000);
};

/**
 * Returns the details to show from a result's `check_metadata`, for any check type.
 *
 * @param now milliseconds since 1970
 */
export const factsOf = (metadata: unknown, now: number): readonly ResultFact[] => {
  const facts: ResultFact[] = [];
  const say = (name: 'statusCode' | 'finalUrl' | 'packetLoss' | 'score', value: string | null): void => {
    if (value !== null) facts.push({ name, text: value });
  };
  say('statusCode', text(valueAt(metadata, 'status_code')));
  say('finalUrl', text(valueAt(metadata, 'final_url')));
  const loss = text(valueAt(metadata, 'packet_loss_percent'));
  say('packetLoss', loss === null ? null : `${loss} %`);
  const score = [text(valueAt(metadata, 'ssl_grade')), text(valueAt(metadata, 'ssl_score'))].filter(Boolean);
  say('score', score.length === 0 ? null : score.join(' · '));
  const days = certificateDays(metadata, now);
  if (days !== null) facts.push({ name: 'certificate', days });
  const answers = valueAt(metadata, 'answers');
  if (Array.isArray(answers)) facts.push({ name: 'answers', list: answers.map(String).slice(0, MOST_LISTED) });
  const ports = openPorts(metadata);
  if (ports) facts.push({ name: 'openPorts', list: ports.slice(0, MOST_LISTED) });
  return facts;
};

/** A line printed by a script. */
export interface LogLine {
  level: string;
  message: string;
}

/** A test of a script, or one of its steps. */
export interface Outcome {
  name: string;
  passed: boolean;
  /** milliseconds; null: unknown */
  duration: number | null;
  error: string | null;
  steps: readonly Outcome[];
}

const objects = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

const outcomeOf = (value: Record<string, unknown>): Outcome => ({
  name: text(value['name']) ?? '',
  passed: value['status'] === 'passed',
  duration: typeof value['duration'] === 'number' ? value['duration'] : null,
  error: text(value['error']),
  steps: objects(value['steps']).map(outcomeOf),
});

/** Returns the log lines and test outcomes in a result, or null if the result is not that of a script. */
export const scriptRunOf = (
  metadata: unknown,
): { logs: readonly LogLine[]; tests: readonly Outcome[]; notes: readonly string[] } | null => {
  if (!Array.isArray(valueAt(metadata, 'test_results')) && !Array.isArray(valueAt(metadata, 'logs'))) return null;
  const notes = valueAt(metadata, 'notes');
  return {
    logs: objects(valueAt(metadata, 'logs')).map((line) => ({
      level: text(line['level']) ?? 'log',
      message: text(line['message']) ?? '',
    })),
    tests: objects(valueAt(metadata, 'test_results')).map(outcomeOf),
    notes: Array.isArray(notes) ? notes.map(String) : [],
  };
};
