/**
 * Measures what the format of reports from remote runners costs the service. Ten runners report 2,000 results per
 * second, as JSON or in the binary form of V8's structured clones. Also measures how much of this cost is validation.
 */
import { deserialize, serialize } from 'node:v8';
import { unstorableContent } from '../../http/media/json-body.ts';
import { checkJsonBounds } from '../../http/media/json-bounds.ts';
import { isReport, isSentResult } from '../../service/remote/schemas.ts';
import { instantRun } from '../checks/instant-runs.ts';
import type { Row } from '../tools/table.ts';

const RESULTS = 50;
const PER_SECOND = 2_000;
const ROUNDS = 400;

const reportOfMany = async (): Promise<object> => {
  const results = [];
  for (let index = 0; index < RESULTS; index++) {
    const ticket = 'x'.repeat(500);
    results.push({ delivery: `delivery${index}`, ticket, age_ms: 12, outcome: await instantRun() });
  }
  return { clock: Date.now(), clock_offset_ms: 3, load: { in_flight: 10, unsent: 0 }, results, offline: [] };
};

/** Returns the fraction of a core that 2,000 results per second take. */
const shareOf = (work: () => void): number => {
  for (let round = 0; round < ROUNDS / 4; round++) work();
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000_000 / (ROUNDS * RESULTS)) * PER_SECOND;
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;
const kib = (bytes: Uint8Array): string => `${Math.round(bytes.length / 1_024)} KiB per report`;

export const bench = async (): Promise<Row[]> => {
  const report = await reportOfMany();
  const json = Buffer.from(JSON.stringify(report));
  const binary = serialize(report);
  const read = shareOf(() => {
    checkJsonBounds(json);
    JSON.parse(json.toString());
  });
  const readBinary = shareOf(() => deserialize(binary) as unknown);
  const judged = shareOf(() => {
    const value: unknown = JSON.parse(json.toString());
    if (!isReport(value)) throw new Error('The report has another form.');
    for (const result of value.results) {
      if (!isSentResult(result)) throw new Error('A result has another form.');
      unstorableContent(result);
    }
  });
  return [
    {
      what: '2,000 results per second of remote runners, parsed from JSON',
      figure: percent(read),
      peer: `${percent(readBinary)} from a binary form`,
      ratio: read / readBinary,
    },
    {
      what: 'the same: size',
      figure: kib(json),
      peer: `${kib(binary)} in a binary form`,
      ratio: json.length / binary.length,
    },
    { what: 'the same: parsed and validated', figure: percent(judged) },
  ];
};
